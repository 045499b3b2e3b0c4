/** Something real that tests want and a machine may lack: a client, a database server, a browser, a built program. */
export interface RealPart {
  readonly name: string
  /** What it is and where it comes from, for people. */
  readonly description: string
  /** Whether getting it takes more than a minute: then only `npm run test:full` gets it. */
  readonly heavy: boolean
  /** Where it is, if it is there. Looks, and changes nothing. */
  readonly locate: (cache: string) => string | undefined
  /** Puts it into the cache, where {@link locate} finds it. Absent for what only a machine can have. */
  readonly obtain?: (cache: string) => Promise<void>
  /** What a person does to have it. */
  readonly remedy: string
}

export type PartState = AvailablePart | MissingPart

export interface AvailablePart {
  readonly kind: 'available'
  readonly name: string
  /** The executable, or the directory of executables. */
  readonly path: string
}

export interface MissingPart {
  readonly kind: 'missing'
  readonly name: string
  readonly why: string
  readonly remedy: string
}

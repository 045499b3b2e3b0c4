/** A real client, database server, browser or built program that tests use and a machine may lack. */
export interface RealPart {
  readonly name: string
  /** Name and origin, for messages. */
  readonly description: string
  /** True when obtaining it takes more than a minute; then only `npm run test:full` does. */
  readonly heavy: boolean
  /** Returns its path if available. Has no side effects. */
  readonly locate: (cache: string) => string | undefined
  /** Puts it into the cache, where {@link locate} finds it. Undefined for parts that must be installed. */
  readonly obtain?: (cache: string) => Promise<void>
  /** How to install it. */
  readonly remedy: string
}

export type PartState = AvailablePart | MissingPart

export interface AvailablePart {
  readonly kind: 'available'
  readonly name: string
  /** Path of the executable, or of the directory of executables. */
  readonly path: string
}

export interface MissingPart {
  readonly kind: 'missing'
  readonly name: string
  readonly why: string
  readonly remedy: string
}

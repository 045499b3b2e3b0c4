/** An object of the simulated cloud, as it is stored. */
export type WorldObject = Readonly<Record<string, unknown>>

/** Where the simulated cloud keeps its objects. Writes are whole or not at all. */
export interface World {
  /** Undefined when there is none. */
  read(type: string, id: string): Promise<WorldObject | undefined>
  readMany(type: string, ids: readonly string[]): Promise<readonly (WorldObject | undefined)[]>
  /** Puts objects, and takes away those that are to be undefined. */
  writeMany(type: string, objects: readonly (readonly [id: string, object: WorldObject | undefined])[]): Promise<void>
  /** In the order of their ids. */
  list(type: string): AsyncIterable<readonly [id: string, object: WorldObject]>
  close(): void
}

/** An id that can't be one, as it would lead out of the world. */
export function checkId(id: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id))
    throw new Error(`${JSON.stringify(id)} can't be the id of an object: letters, digits, dots and dashes only`)
}

/** An object of the simulated cloud, as it is stored. */
export type WorldObject = Readonly<Record<string, unknown>>

/** The store of the simulated cloud. The write of an object is atomic. */
export interface World {
  /** Returns undefined when the object does not exist. */
  read(type: string, id: string): Promise<WorldObject | undefined>
  readMany(type: string, ids: readonly string[]): Promise<readonly (WorldObject | undefined)[]>
  /** Stores objects; undefined deletes one. */
  writeMany(type: string, objects: readonly (readonly [id: string, object: WorldObject | undefined])[]): Promise<void>
  /** Yields the objects of a type in the order of their ids. */
  list(type: string): AsyncIterable<readonly [id: string, object: WorldObject]>
  close(): void
}

/** Throws when an id could escape the directory of the store: ids come from users through imports. */
export function checkId(id: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id))
    throw new Error(`invalid id ${JSON.stringify(id)}: use letters, digits, dots, underscores and dashes only`)
}

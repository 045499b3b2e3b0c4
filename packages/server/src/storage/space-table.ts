import { maximumKeyBytes, type Space } from './contract.ts'
import { encodeKey, segmentEndAt } from './key.ts'
import { StorageError } from './storage-error.ts'

/** The spaces of a store, by name and by key prefix. */
export class SpaceTable {
  readonly byName: ReadonlyMap<string, Space>
  /** By the first byte of the name. */
  readonly #rows: readonly (readonly Row[])[]

  constructor(spaces: readonly Space[]) {
    for (const space of spaces) checkSpace(space)
    this.byName = new Map(spaces.map((space) => [space.name, space]))
    if (this.byName.size < spaces.length)
      throw new StorageError('invalid', 'cannot open a store: two spaces have the same name')
    const rows = spaces.map((space) => ({ space, prefix: encodeKey(space.name, []) }))
    this.#rows = Array.from({ length: 256 }, (_, first) => rows.filter(({ prefix }) => prefix[0] === first))
  }

  /** Returns the space with this name; throws `invalid` when there is none. */
  named(name: string): Space {
    const space = this.byName.get(name)
    if (space === undefined)
      throw new StorageError('invalid', `cannot use space ${JSON.stringify(name)}: the store was not opened with it`)
    return space
  }

  /** Validates a key: known space, allowed size, right number of segments. Returns its space. */
  of(key: Uint8Array): Space {
    if (key.length > maximumKeyBytes) {
      throw new StorageError(
        'too-large',
        `cannot use a key of ${key.length} bytes: at most ${maximumKeyBytes} are allowed`,
      )
    }
    const { space, prefix } = this.#rowOf(key)
    let segments = 0
    for (let at = prefix.length; at < key.length; segments++) {
      at = segmentEndAt(key, at)
      if (at < 0) throw new StorageError('invalid', `cannot use a key of space ${space.name} that is malformed`)
    }
    if (segments === space.segments) return space
    throw new StorageError(
      'invalid',
      `cannot use a key with ${segments} segments in space ${space.name}: it has ${space.segments}`,
    )
  }

  /** Returns the space of a validated key; undefined when the store was opened without it. */
  find(key: Uint8Array): Space | undefined {
    return this.#find(key)?.space
  }

  #rowOf(key: Uint8Array): Row {
    const row = this.#find(key)
    if (row !== undefined) return row
    throw new StorageError('invalid', 'cannot use a key of a space that the store was not opened with')
  }

  #find(key: Uint8Array): Row | undefined {
    const rows = this.#rows[key[0] ?? 0]!
    for (let at = 0; at < rows.length; at++) if (startsWith(key, rows[at]!.prefix)) return rows[at]
    return undefined
  }
}

interface Row {
  readonly space: Space
  readonly prefix: Uint8Array
}

function startsWith(key: Uint8Array, prefix: Uint8Array): boolean {
  if (key.length < prefix.length) return false
  for (let at = 0; at < prefix.length; at++) if (key[at] !== prefix[at]) return false
  return true
}

function checkSpace({ name, segments, skip = 0 }: Space): void {
  if (name === '' || !Number.isInteger(segments) || segments < 1) {
    throw new StorageError(
      'invalid',
      `cannot open space ${JSON.stringify(name)} with ${segments} segments: it needs a name and at least 1`,
    )
  }
  if (!Number.isInteger(skip) || skip < 0 || skip >= segments) {
    throw new StorageError('invalid', `cannot open space ${name} with skip ${skip}: it has ${segments} segments`)
  }
}

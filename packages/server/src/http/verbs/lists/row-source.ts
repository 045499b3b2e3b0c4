import type { KubernetesObject } from '@hykube/machinery/object'
import { badRequest } from '@hykube/machinery/status'
import { decodeObject, type ObjectStore, objectFromKey, objectKey } from '../../../resource/index.ts'
import type { Page } from '../../../storage/index.ts'
import type { Turns } from '../../flow-control/fair-seats.ts'
import { type ListPiece, type ListPlace, type ListPosition, type ListReader, pieceSize } from './list-source.ts'
import type { SourcePlace, SourceRange, VisibleRows } from './visible-rows.ts'

/**
 * Reads the lists of a view: the objects of several resources in key order, each as its row. The place in a continue token is
 * that of a returned row, and a page has a token only when another visible object follows: tokens reveal nothing about
 * objects that the user may not see.
 */
export class RowSource implements ListReader {
  readonly #objects: ObjectStore
  readonly #rows: VisibleRows
  readonly #turns: Turns

  constructor(objects: ObjectStore, rows: VisibleRows, turns: Turns) {
    this.#objects = objects
    this.#rows = rows
    this.#turns = turns
  }

  async read({ revision, after }: ListPosition, limit: number): Promise<ListPiece> {
    let part = await this.#visiblePart({ revision, after: after && this.#sourceFrom(after) }, limit)
    if (part.last === undefined) {
      const next = await this.#seek(part.position)
      if (next === undefined)
        return { objects: [], count: 0, revision: part.position.revision ?? (await this.#objects.now()) }
      part = await this.#visiblePart(next, limit)
    }
    const { rows, position } = part
    const isFull = rows.length >= limit
    const next = part.isCut && !isFull ? position : await this.#seek(position)
    return {
      objects: rows,
      count: rows.length,
      revision: position.revision!,
      ...(next !== undefined && { last: placeFrom(isFull ? position.after! : next.after!) }),
    }
  }

  /** Rows are never counted: the number would include objects that the user may not see. */
  total(): Promise<number> {
    throw new Error('cannot count the rows of a view')
  }

  // The rows of the objects after a position, up to the first one that is not visible.
  async #visiblePart(start: Position, limit: number): Promise<VisiblePart> {
    const page = await this.#scan(start, { limit: Math.min(limit, pieceSize(this.#turns)) })
    const rows: KubernetesObject[] = []
    let last: SourcePlace | undefined
    let isCut = page?.last !== undefined
    for (const { key, value } of page?.entries ?? []) {
      const place = objectFromKey(key)
      if (!this.#rows.isVisible(place)) {
        isCut = false
        break
      }
      last = place
      const row = this.#rows.row(place, () => decodeObject(value))
      if (row !== undefined) rows.push(row)
    }
    return { rows, last, isCut, position: { revision: page?.revision ?? start.revision, after: last ?? start.after } }
  }

  // The position before the next visible object; undefined when there is none.
  async #seek(start: Position): Promise<Position | undefined> {
    let { revision, after } = start
    for (let steps = 1; ; steps++) {
      const range = this.#rangeAt(after)
      if (range === undefined) return undefined
      if (steps % stepsPerTurn === 0) await this.#turns.next()
      const page: Page | undefined = await this.#scan({ revision, after }, { limit: 1, keysOnly: true })
      revision = page?.revision
      const [first] = page?.entries ?? []
      if (first === undefined) {
        after = this.#rows.ranges.map(beginningOf).find(({ group }) => group > range.group)
        if (after === undefined) return undefined
        continue
      }
      const place = objectFromKey(first.key)
      if (this.#rows.isVisible(place)) return { revision, after: after ?? beginningOf(range) }
      after = this.#rows.skip(place)
    }
  }

  async #scan(
    { revision, after }: Position,
    options: { limit: number; keysOnly?: boolean },
  ): Promise<Page | undefined> {
    const range = this.#rangeAt(after)
    if (range === undefined) return undefined
    return this.#objects.scan(range, {
      ...options,
      ...(revision !== undefined && { revision }),
      ...(after?.group === range.group && { after: objectKey(after, after) }),
    })
  }

  #sourceFrom({ source, ...place }: ListPlace): SourcePlace {
    if (source === undefined)
      throw badRequest('invalid continue token: continue key is not valid: it is of another list')
    return this.#rows.placeOf(source, place)
  }

  #rangeAt(after: SourcePlace | undefined): SourceRange | undefined {
    return this.#rows.ranges.find(({ group }) => after === undefined || group >= after.group)
  }
}

/** A place between two objects, before all of them by default. */
interface Position {
  readonly revision: number | undefined
  readonly after: SourcePlace | undefined
}

interface VisiblePart {
  readonly rows: readonly KubernetesObject[]
  /** The last object of the part, which may not be selected. */
  readonly last: SourcePlace | undefined
  /** True when the part ends because of its size. */
  readonly isCut: boolean
  /** The end of the part. */
  readonly position: Position
}

// Seeks are short; other requests get a turn between so many.
const stepsPerTurn = 50

function beginningOf({ group }: SourceRange): SourcePlace {
  return { group, resource: '', cluster: '', namespace: '', name: '' }
}

function placeFrom({ group, resource, cluster, namespace, name }: SourcePlace): ListPlace {
  return { cluster, namespace, name, source: { group, resource } }
}

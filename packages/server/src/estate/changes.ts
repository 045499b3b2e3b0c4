import { type InstanceKey, type NodePlace, nodeFromText, nodeToText } from '../plan/index.ts'
import { decodeKey, encodeKey, type Key, type Operation, type Range, type Revision } from '../storage/index.ts'
import { instanceFromSegment, instanceToSegment } from './instance-segment.ts'
import { recordFromBytes } from './record-codec.ts'
import { changeSpace } from './spaces.ts'

/** Which change of a plan: of which instance, and of which part of it. */
export interface ChangePlace {
  readonly cluster: string
  /** The uid of the plan. */
  readonly plan: string
  readonly node: NodePlace
  readonly instance: InstanceKey
  /** Empty for the instance itself; `deposed/<key>` for an object that was left behind; `object` for the object as a whole. */
  readonly part: string
}

/** A change and where it lies. The record is the planner's: this room keeps it and does not look into it. */
export interface StoredChange<T> {
  readonly place: ChangePlace
  readonly record: T
  readonly key: Key
  readonly revision: Revision
}

export function changeKey({ cluster, plan, node, instance, part }: ChangePlace): Key {
  return encodeKey(changeSpace.name, [cluster, plan, nodeToText(node), instanceToSegment(instance), part])
}

/** Every change of a plan, or of one object in it, in the order of addresses. */
export function changeRange(cluster: string, plan: string, node?: NodePlace): Range {
  return { space: changeSpace.name, prefix: [cluster, plan, ...(node === undefined ? [] : [nodeToText(node)])] }
}

export function changePlaceFromKey(key: Key): ChangePlace {
  const [cluster = '', plan = '', node = '', instance = '', part = ''] = decodeKey(key).segments
  return { cluster, plan, node: nodeFromText(cluster, node), instance: instanceFromSegment(instance), part }
}

export function changeFromEntry<T>(
  entry: { key: Key; value: Uint8Array; revision: Revision },
  /** What came of it, where that is kept beside it. */
  came?: object,
): StoredChange<T> {
  return {
    // Whoever looks for one place compares keys.
    get place() {
      return changePlaceFromKey(entry.key)
    },
    record: came === undefined ? recordFromBytes<T>(entry.value) : { ...recordFromBytes<T>(entry.value), ...came },
    key: entry.key,
    revision: entry.revision,
  }
}

/** A change of which only what it has in common with others was read. */
export interface SortedChange<S> {
  readonly place: ChangePlace
  readonly sort: S
  /** What came of it, where that is kept beside it. */
  readonly came: object | undefined
}

/** Keeps a change of a plan. Those of a plan that have the same number, but for 0, are of the same sort. */
export function putChange(place: ChangePlace, value: Uint8Array, sort = 0): Operation {
  return { kind: 'put', key: changeKey(place), value, tag: sort }
}

/** The end of a page as clients carry it. */
export function changeKeyToText(key: Key): string {
  const [, , ...place] = decodeKey(key).segments
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** The place that such a text names, in this plan and no other; undefined for what is none. */
export function changeKeyFromText(text: string, cluster: string, plan: string): Key | undefined {
  try {
    const place: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (!Array.isArray(place) || place.length !== 3 || !place.every((each) => typeof each === 'string'))
      return undefined
    return encodeKey(changeSpace.name, [cluster, plan, ...(place as string[])])
  } catch {
    return undefined
  }
}

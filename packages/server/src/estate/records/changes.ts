import { type InstanceKey, type ResourceRef, refFromText, refToText } from '../../model/index.ts'
import { decodeKey, encodeKey, type Key, type Operation, type Range, type Revision } from '../../storage/index.ts'
import { instanceFromSegment, instanceToSegment } from './instance-segment.ts'
import { recordFromBytes } from './record-codec.ts'
import { changeSpace } from './spaces.ts'

/** The key of a plan's change: plan, instance and part. */
export interface ChangeRef {
  readonly cluster: string
  /** The uid of the plan. */
  readonly plan: string
  readonly ref: ResourceRef
  readonly instance: InstanceKey
  /** Empty for the instance itself; `deposed/<key>` for a deposed resource; `object` for the object as a whole. */
  readonly part: string
}

/** A stored change. The record's type belongs to the planner; this room doesn't interpret it. */
export interface StoredChange<T> {
  readonly target: ChangeRef
  readonly record: T
  readonly key: Key
  readonly revision: Revision
}

export function changeKey({ cluster, plan, ref, instance, part }: ChangeRef): Key {
  return encodeKey(changeSpace.name, [cluster, plan, refToText(ref), instanceToSegment(instance), part])
}

/** The key range of a plan's changes, or of one object's changes in it. */
export function changeRange(cluster: string, plan: string, ref?: ResourceRef): Range {
  return { space: changeSpace.name, prefix: [cluster, plan, ...(ref === undefined ? [] : [refToText(ref)])] }
}

export function changeRefFromKey(key: Key): ChangeRef {
  const [cluster = '', plan = '', refText = '', instance = '', part = ''] = decodeKey(key).segments
  return { cluster, plan, ref: refFromText(cluster, refText), instance: instanceFromSegment(instance), part }
}

export function changeFromEntry<T>(
  entry: { key: Key; value: Uint8Array; revision: Revision },
  /** The fields of the outcome, if they are stored beside the change. */
  progress?: object,
): StoredChange<T> {
  return {
    // Decoded on demand, because most callers compare keys.
    get target() {
      return changeRefFromKey(entry.key)
    },
    record:
      progress === undefined ? recordFromBytes<T>(entry.value) : { ...recordFromBytes<T>(entry.value), ...progress },
    key: entry.key,
    revision: entry.revision,
  }
}

/** A change with only the data that its group shares. */
export interface GroupedChange<S> {
  readonly target: ChangeRef
  readonly group: S
  /** The fields of the outcome, if they are stored beside the change. */
  readonly progress: object | undefined
}

/** Stores a change. Changes of a plan with the same number other than 0 belong to one group. */
export function putChange(target: ChangeRef, value: Uint8Array, group = 0): Operation {
  return { kind: 'put', key: changeKey(target), value, tag: group }
}

/** Encodes the end of a page as a continue token. */
export function changeKeyToText(key: Key): string {
  const [, , ...position] = decodeKey(key).segments
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** Decodes a continue token. The cluster and plan come from the request, so a token can't point into another plan. Undefined when it is invalid. */
export function changeKeyFromText(text: string, cluster: string, plan: string): Key | undefined {
  try {
    const position: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (!Array.isArray(position) || position.length !== 3 || !position.every((each) => typeof each === 'string'))
      return undefined
    return encodeKey(changeSpace.name, [cluster, plan, ...(position as string[])])
  } catch {
    return undefined
  }
}

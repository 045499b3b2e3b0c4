import { timeToText } from '@hykube/machinery/amounts'
import { canonicalJson, type JsonValue } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { clusterAnnotation } from '@hykube/machinery/object'
import { selectsLabels } from '@hykube/machinery/selector'
import { alreadyExists, conflict, expired, modified, notFound } from '@hykube/machinery/status'
import type { FakeSelection } from './fake-selection.ts'

/** The key of an object. */
export interface FakePlace {
  readonly cluster: string
  readonly group: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
}

/** A stored object, which always has metadata. */
export type FakeObject = KubernetesObject & { readonly metadata: NonNullable<KubernetesObject['metadata']> }

/** An entry of the change history. */
export interface FakeChange {
  readonly revision: number
  readonly place: FakePlace
  readonly before: FakeObject | undefined
  /** Undefined when the object was deleted. */
  readonly after: FakeObject | undefined
  /** The last state of a deleted object, with the revision of its deletion. */
  readonly final: FakeObject | undefined
}

/** An in-memory store of objects with revisions and a change history: the database of the fake. */
export class FakeStore {
  readonly #objects = new Map<string, { readonly place: FakePlace; readonly object: FakeObject }>()
  readonly #listeners = new Set<(change: FakeChange) => void>()
  readonly #now: () => number
  #changes: FakeChange[] = []
  // Changes up to this revision are compacted.
  #floor = 0
  #revision = 100
  #uids = 0

  constructor(now: () => number) {
    this.#now = now
  }

  get revision(): number {
    return this.#revision
  }

  /** The current time as RFC 3339 text. */
  get time(): string {
    return timeToText(this.#now())
  }

  find(place: FakePlace): FakeObject | undefined {
    return this.#objects.get(keyOf(place))?.object
  }

  get(place: FakePlace): FakeObject {
    const object = this.find(place)
    if (object === undefined) throw notFound(place, place.name)
    return object
  }

  /** Returns the selected objects of a resource in the order of their keys. */
  select(
    at: Omit<FakePlace, 'name'>,
    selection: FakeSelection,
  ): { readonly place: FakePlace; readonly object: FakeObject }[] {
    return [...this.#objects.entries()]
      .filter(([, { place, object }]) => isAt(place, at) && isSelected(object, selection))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, entry]) => entry)
  }

  /** Returns all objects, in no particular order. */
  all(): Iterable<{ readonly place: FakePlace; readonly object: FakeObject }> {
    return [...this.#objects.values()]
  }

  /** Returns the objects with an owner reference to the uid. */
  dependentsOf(cluster: string, uid: string): FakePlace[] {
    return [...this.#objects.values()]
      .filter(
        ({ place, object }) =>
          place.cluster === cluster && object.metadata.ownerReferences?.some((each) => each.uid === uid),
      )
      .map(({ place }) => place)
  }

  create(place: FakePlace, object: KubernetesObject): FakeObject {
    if (this.find(place) !== undefined) throw alreadyExists(place, place.name)
    const { resourceVersion: _, ...metadata } = object.metadata ?? {}
    const created = {
      ...object,
      metadata: {
        generation: 1,
        creationTimestamp: this.time,
        ...metadata,
        name: place.name,
        ...(place.namespace === '' ? {} : { namespace: place.namespace }),
        uid: metadata.uid ?? `uid-${++this.#uids}`,
        ...(place.cluster === 'root'
          ? {}
          : { annotations: { ...metadata.annotations, [clusterAnnotation]: place.cluster } }),
      },
    }
    return this.#put(place, undefined, created)
  }

  /** Replaces an object. An object with a deletionTimestamp is removed once its last finalizer is gone. */
  update(place: FakePlace, object: KubernetesObject): FakeObject {
    const before = this.get(place)
    const { resourceVersion, uid } = object.metadata ?? {}
    if (resourceVersion && resourceVersion !== before.metadata.resourceVersion) throw modified(place, place.name)
    if (uid && uid !== before.metadata.uid) throw conflict(place, place.name, 'another uid')
    const { resourceVersion: _, ...metadata } = { ...object.metadata, ...serverFields(before) }
    const after = { ...object, metadata }
    if (sameObject(after, withoutRevision(before))) return before
    if (after.metadata.deletionTimestamp != null && !hasFinalizers(after)) return this.#remove(place, before, after)
    return this.#put(place, before, after)
  }

  /** Removes an object, or sets its deletionTimestamp when it has finalizers. */
  remove(place: FakePlace, finalizer?: string): FakeObject {
    const before = this.get(place)
    const held = finalizer !== undefined && this.dependentsOf(place.cluster, before.metadata.uid ?? '').length > 0
    const finalizers = [...(before.metadata.finalizers ?? []), ...(held ? [finalizer] : [])]
    const metadata = {
      ...before.metadata,
      deletionTimestamp: before.metadata.deletionTimestamp ?? this.time,
      finalizers: [...new Set(finalizers)],
    }
    const marked = { ...before, metadata }
    if (!hasFinalizers(marked)) return this.#remove(place, before, before)
    return sameObject(marked, before) ? before : this.#put(place, before, marked)
  }

  /** Returns the changes after a revision; throws Expired when some of them are compacted. */
  changesAfter(revision: number): readonly FakeChange[] {
    if (revision < this.#floor) throw expired(`too old resource version: ${revision} (${this.#floor})`)
    return this.#changes.filter((change) => change.revision > revision)
  }

  /** Compacts the history: watchers that are behind receive Expired and have to list again. */
  compact(): void {
    this.#floor = this.#revision
    this.#changes = []
  }

  listen(listener: (change: FakeChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #put(place: FakePlace, before: FakeObject | undefined, after: FakeObject): FakeObject {
    const stored = this.#stamped(after)
    this.#objects.set(keyOf(place), { place: placeOf(place), object: stored })
    this.#record({ revision: this.#revision, place: placeOf(place), before, after: stored, final: undefined })
    return stored
  }

  #remove(place: FakePlace, before: FakeObject, last: FakeObject): FakeObject {
    const final = this.#stamped(last)
    this.#objects.delete(keyOf(place))
    this.#record({ revision: this.#revision, place: placeOf(place), before, after: undefined, final })
    return final
  }

  #stamped(object: FakeObject): FakeObject {
    this.#revision++
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#revision) } }
  }

  #record(change: FakeChange): void {
    this.#changes.push(change)
    for (const listener of [...this.#listeners]) listener(change)
  }
}

/** Returns true when the object belongs to the collection. */
export function isAt(place: FakePlace, at: Omit<FakePlace, 'name'>): boolean {
  return (
    place.group === at.group &&
    place.resource === at.resource &&
    (at.cluster === '*' || place.cluster === at.cluster) &&
    (at.namespace === '' || place.namespace === at.namespace)
  )
}

export function isSelected({ metadata }: FakeObject, { labels, name }: FakeSelection): boolean {
  return selectsLabels(labels, metadata.labels) && (name === undefined || metadata.name === name)
}

// Namespaces have an additional list of finalizers in their spec.
function hasFinalizers(object: FakeObject): boolean {
  const spec = object.spec as { finalizers?: readonly string[] } | undefined
  return (object.metadata.finalizers?.length ?? 0) > 0 || (spec?.finalizers?.length ?? 0) > 0
}

function keyOf({ cluster, group, resource, namespace, name }: FakePlace): string {
  return [group, resource, cluster, namespace, name].join('\0')
}

// Metadata that clients cannot change.
function serverFields({ metadata }: FakeObject): Partial<FakeObject['metadata']> {
  const names = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'generation'] as const
  return Object.fromEntries(names.filter((name) => metadata[name] !== undefined).map((name) => [name, metadata[name]]))
}

// Drops other properties: callers pass whole requests as places.
function placeOf({ cluster, group, resource, namespace, name }: FakePlace): FakePlace {
  return { cluster, group, resource, namespace, name }
}

function withoutRevision(object: FakeObject): FakeObject {
  const { resourceVersion: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

function sameObject(a: FakeObject, b: FakeObject): boolean {
  return canonicalJson(a as JsonValue) === canonicalJson(b as JsonValue)
}

import { timeToText } from '@hykube/machinery/amounts'
import type { Clock } from '@hykube/machinery/base'
import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import { type Condition, type KubernetesObject, withCondition, withoutFinalizer } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import {
  decodeObject,
  type ObjectStore,
  type ObservedChange,
  objectFromKey,
  objectRange,
  type StoredObject,
  type TypeRegistry,
  type WatchHub,
} from '../resource/index.ts'
import { deleteObjects } from './cleanup.ts'
import { customResourceTypes, storagePlaceOf } from './custom-resource-type.ts'
import {
  cleanupFinalizer,
  type Definition,
  definitionFrom,
  definitionResource,
  isConditionTrue,
  isTerminating,
} from './definition.ts'
import { statusOf } from './definition-status.ts'

export interface DefinedTypesOptions {
  readonly objects: ObjectStore
  readonly hub: WatchHub
  readonly types: TypeRegistry
  readonly clock: Clock
  /** Returns true for a definition whose types another component serves; it is ignored. Default: none. */
  readonly isServedElsewhere?: (definition: KubernetesObject) => boolean
  /** Called with errors of background work, which is retried on the next change. */
  readonly report: (message: string) => void
}

/**
 * Serves custom resource definitions. It follows the store: a new definition gets its names, is served, and then becomes
 * Established; a changed one is served again; a deleted one is emptied first. All servers on a store do the same; a server
 * whose write conflicts finds the work already done.
 */
export class DefinedTypes {
  readonly #options: DefinedTypesOptions
  readonly #clusters = new Map<string, Map<string, Known>>()
  readonly #work = new Map<string, Promise<void>>()
  readonly #stopListening: () => void
  #closed = false

  private constructor(options: DefinedTypesOptions) {
    this.#options = options
    this.#stopListening = options.hub.listen((changes) => this.#follow(changes))
  }

  /** Serves all existing definitions, then follows changes. */
  static async open(options: DefinedTypesOptions): Promise<DefinedTypes> {
    const defined = new DefinedTypes(options)
    await defined.#load()
    return defined
  }

  /** Stops following and waits for work in progress. */
  async close(): Promise<void> {
    this.#closed = true
    this.#stopListening()
    await Promise.all(this.#work.values())
  }

  async #load(): Promise<void> {
    const { objects } = this.#options
    const range = objectRange(definitionResource)
    for await (const entries of objects.pages(range)) {
      for (const { key, value, revision } of entries) {
        const { cluster, name } = objectFromKey(key)
        this.#take(cluster, name, definitionFrom(decodeObject(value)), revision)
      }
    }
    await Promise.all(this.#work.values())
  }

  #follow(changes: readonly ObservedChange[]): void {
    for (const change of changes) {
      const { group, resource, cluster, name } = change.place
      if (group === definitionResource.group && resource === definitionResource.resource) {
        if (change.kind === 'put') this.#take(cluster, name, definitionFrom(change.object), change.revision)
        else this.#drop(cluster, name, change.revision)
      } else if (change.kind === 'delete') this.#wakeCleanup(cluster, `${resource}.${group}`)
    }
  }

  // Changes may arrive twice, from the initial scan and from the feed; the revision decides which is newer.
  #take(cluster: string, name: string, definition: Definition, revision: number): void {
    if (this.#options.isServedElsewhere?.(definition)) return
    const table = this.#tableOf(cluster)
    const known = table.get(name)
    if (known !== undefined && known.revision >= revision) return
    const form = formOf(definition)
    table.set(name, { definition, revision, form })
    if (isConditionTrue(definition, 'Established')) {
      if (known?.form !== form) this.#options.types.serve(cluster, name, servedTypes(definition))
    }
    if (isTerminating(definition)) this.#queue(cluster, () => this.#empty(cluster, name))
    else if (needsStatus(definition)) this.#queue(cluster, () => this.#settle(cluster, name))
  }

  #drop(cluster: string, name: string, revision: number): void {
    const table = this.#tableOf(cluster)
    const known = table.get(name)
    if (known === undefined || known.revision > revision) return
    table.delete(name)
    this.#options.types.serve(cluster, name, [])
    // The names are free now: definitions in conflict with them are decided again.
    for (const [other, { definition }] of table) {
      if (definition.spec.group === known.definition.spec.group && needsStatus(definition)) {
        this.#queue(cluster, () => this.#settle(cluster, other))
      }
    }
  }

  // A removed object may have been the last one of a terminating definition.
  #wakeCleanup(cluster: string, name: string): void {
    const known = this.#clusters.get(cluster)?.get(name)
    if (known !== undefined && isTerminating(known.definition)) this.#queue(cluster, () => this.#empty(cluster, name))
  }

  // Work is serialized per cluster, so that two definitions never get the same name.
  #queue(cluster: string, work: () => Promise<void>): void {
    const before = this.#work.get(cluster) ?? Promise.resolve()
    const next = before.then(async () => {
      if (this.#closed) return
      try {
        await work()
      } catch (error) {
        this.#options.report(`cannot serve a definition of cluster ${cluster}: ${(error as Error).message}`)
      }
    })
    this.#work.set(cluster, next)
    void next.then(() => {
      if (this.#work.get(cluster) === next) this.#work.delete(cluster)
    })
  }

  // The types are served before the status says Established, so a client that reads the condition can use them.
  async #settle(cluster: string, name: string): Promise<void> {
    const { types, clock } = this.#options
    const stored = await this.#read(cluster, name)
    if (stored === undefined) return
    const { definition } = stored
    if (isTerminating(definition) || !needsStatus(definition)) return
    const others = [...this.#tableOf(cluster)].flatMap(([other, each]) => (other === name ? [] : [each.definition]))
    const settled: Definition = { ...definition, status: statusOf(definition, others, timeToText(clock.now())) }
    if (jsonEquals(settled as unknown as JsonValue, definition as unknown as JsonValue)) return
    if (isConditionTrue(settled, 'Established')) {
      const form = formOf(settled)
      if (this.#tableOf(cluster).get(name)?.form !== form || !isConditionTrue(definition, 'Established')) {
        types.serve(cluster, name, servedTypes(settled))
      }
      const known = this.#tableOf(cluster).get(name)
      if (known !== undefined) this.#tableOf(cluster).set(name, { ...known, definition: settled, form })
    }
    await this.#write(cluster, name, stored, settled)
  }

  // Deletes the objects of a terminating definition. The finalizer is removed when none remains; until then every
  // removed object triggers another attempt.
  async #empty(cluster: string, name: string): Promise<void> {
    const { objects, clock } = this.#options
    const stored = await this.#read(cluster, name)
    if (stored === undefined || !isTerminating(stored.definition)) return
    const { definition } = stored
    if (definition.metadata?.finalizers?.includes(cleanupFinalizer) !== true) return
    const place = storagePlaceOf(definition)
    const now = clock.now()
    const left = place === undefined ? 0 : await deleteObjects(objects, place, cluster, now)
    const wasServed = isConditionTrue(definition, 'Established')
    const conditions = withCondition(definition.status?.conditions ?? [], terminating(left, wasServed, timeToText(now)))
    const next: Definition = { ...definition, status: { ...definition.status, conditions } }
    if (left > 0) {
      if (conditions !== definition.status?.conditions) await this.#write(cluster, name, stored, next)
      return
    }
    const finalizers = withoutFinalizer(definition.metadata.finalizers, cleanupFinalizer) ?? []
    const { finalizers: _, ...metadata } = definition.metadata
    await this.#write(cluster, name, stored, {
      ...next,
      metadata: { ...metadata, ...(finalizers.length > 0 && { finalizers }) },
    })
  }

  async #read(cluster: string, name: string): Promise<Stored | undefined> {
    const stored = await this.#options.objects.get(definitionResource, { cluster, namespace: '', name })
    return stored === undefined ? undefined : { stored, definition: definitionFrom(decodeObject(stored.bytes)) }
  }

  // A conflict is ignored: the conflicting change arrives here and triggers new work.
  async #write(cluster: string, name: string, { stored, definition }: Stored, next: Definition): Promise<void> {
    const place = { cluster, namespace: '', name }
    const change = { resource: definitionResource, place, before: stored, beforeObject: definition, tag: stored.tag }
    const isGone = isTerminating(next) && (next.metadata?.finalizers?.length ?? 0) === 0
    await this.#options.objects.change([
      isGone ? { ...change, after: undefined, final: next } : { ...change, after: next },
    ])
  }

  #tableOf(cluster: string): Map<string, Known> {
    let table = this.#clusters.get(cluster)
    if (table === undefined) {
      table = new Map()
      this.#clusters.set(cluster, table)
    }
    return table
  }
}

interface Known {
  readonly definition: Definition
  readonly revision: number
  /** Differs whenever the definition leads to different types. */
  readonly form: string
}

interface Stored {
  readonly stored: StoredObject
  readonly definition: Definition
}

// The generation is incremented on every change of the spec.
function formOf({ metadata, status }: Definition): string {
  return JSON.stringify([
    metadata?.uid,
    metadata?.generation,
    metadata?.deletionTimestamp === undefined,
    status?.acceptedNames,
  ])
}

// Request bodies of custom resources must contain apiVersion and kind; built-in kinds take both from the endpoint.
function servedTypes(definition: Definition): ResourceType[] {
  return customResourceTypes(definition).map((type) => ({ ...type, requiresKindInBody: true }))
}

// True until all requested names are accepted and the definition is established.
function needsStatus(definition: Definition): boolean {
  const { spec, status } = definition
  return (
    !isConditionTrue(definition, 'Established') ||
    !isConditionTrue(definition, 'NamesAccepted') ||
    !jsonEquals(spec.names as unknown as JsonValue, (status?.acceptedNames ?? null) as unknown as JsonValue)
  )
}

function terminating(left: number, wasServed: boolean, now: string): Condition {
  const base = { type: 'Terminating', lastTransitionTime: now } as const
  if (left > 0) {
    const reason = 'InstanceDeletionInProgress'
    return { ...base, status: 'True', reason, message: 'CustomResource deletion is in progress' }
  }
  return wasServed
    ? { ...base, status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances' }
    : { ...base, status: 'False', reason: 'NeverEstablished', message: 'resource was never established' }
}

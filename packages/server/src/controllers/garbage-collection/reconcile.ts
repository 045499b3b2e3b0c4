import {
  foregroundFinalizer,
  type ObjectMeta,
  type OwnerReference,
  orphanFinalizer,
  withoutFinalizer,
} from '@hykube/machinery/object'
import { type Client, failedWith, type ObjectAt, type Stored } from '@hykube/runtime/client'
import type { ReconcileResult } from '@hykube/runtime/controller'
import { attemptAll } from '../attempt-all.ts'
import type { DiscoveredResources } from '../discovered-resources.ts'
import { isWaiting, type OwnerState, ownerState } from './owner-state.ts'
import type { Dependent, OwnerIndex } from './ports.ts'

/** Dependencies of the collector. */
export interface CollectorOptions {
  readonly clientFor: (cluster: string) => Client
  readonly resources: DiscoveredResources
  readonly index: OwnerIndex
  /**
   * Called with an owner that waits for dependents before these are checked, so that a dependent's removal in between
   * is not missed.
   */
  readonly onWaiting: (uid: string, owner: Dependent & { readonly cluster: string }) => void
}

/** States of owners that are already known, by uid, so that many dependents do not look up the same owner. */
type KnownOwners = ReadonlyMap<string, OwnerState>

/** Deletes, waits for and orphans dependents. Every step is idempotent and depends on the current state only. */
export class Collector {
  readonly #options: CollectorOptions

  constructor(options: CollectorOptions) {
    this.#options = options
  }

  /** Examines the dependents of a removed owner. */
  async collectDependents(cluster: string, ownerUid: string, signal: AbortSignal): Promise<void> {
    await this.#eachDependent(cluster, ownerUid, new Map([[ownerUid, { kind: 'gone' }]]), signal)
  }

  /** Examines an object: as an owner in deletion, or as a dependent whose owners may be gone. */
  async examine(
    cluster: string,
    place: Dependent,
    signal: AbortSignal,
    known: KnownOwners = new Map(),
  ): Promise<ReconcileResult> {
    const found = await this.#read(cluster, place, signal)
    if (found === undefined) return undefined
    const { metadata } = found
    if (metadata.deletionTimestamp == null) await this.#collect(found, signal, known)
    else if (metadata.finalizers?.includes(orphanFinalizer)) await this.#orphan(found, signal)
    else if (isWaiting(metadata)) return this.#waitForDependents(found, signal)
    return undefined
  }

  /** Determines the state of an owner of which only the uid is known, through one of its dependents. */
  async examineOwner(cluster: string, ownerUid: string, signal: AbortSignal): Promise<ReconcileResult> {
    // One dependent is enough: its reference names the kind that the uid alone does not reveal.
    for (const place of await this.#options.index.dependentsOf(cluster, ownerUid)) {
      const found = await this.#read(cluster, place, signal)
      if (found?.metadata.uid === ownerUid) return this.examine(cluster, place, signal)
      const reference = found?.metadata.ownerReferences?.find(({ uid }) => uid === ownerUid)
      if (found === undefined || reference === undefined) continue
      const state = await this.#stateOf(found, reference, signal, new Map())
      if (state.kind === 'gone') await this.collectDependents(cluster, ownerUid, signal)
      else if (state.metadata?.deletionTimestamp != null)
        return this.examine(cluster, { ...state.at!, namespace: state.at!.namespace ?? '' }, signal)
      return undefined
    }
    return undefined
  }

  async #collect(found: Found, signal: AbortSignal, known: KnownOwners): Promise<void> {
    const { metadata } = found
    const references = metadata.ownerReferences ?? []
    if (references.length === 0) return
    const states = await Promise.all(references.map((each) => this.#stateOf(found, each, signal, known)))
    // Without a remaining owner the object is deleted. Otherwise only the references to deleted or waiting owners are
    // removed.
    if (states.every(({ kind }) => kind === 'there')) return
    const kept = references.filter((_, index) => states[index]!.kind === 'there')
    if (kept.length > 0) await this.#patch(found, { ownerReferences: kept }, signal)
    else
      await this.#delete(
        found,
        states.some(({ kind }) => kind === 'waiting'),
        signal,
      )
  }

  // In foreground deletion a dependent's own dependents are deleted first. If they wait for each other in a cycle,
  // blockOwnerDeletion is cleared to break it.
  async #delete(found: Found, ownerWaits: boolean, signal: AbortSignal): Promise<void> {
    const { cluster } = found
    const own = ownerWaits ? await this.#options.index.dependentsOf(cluster, found.metadata.uid ?? '') : []
    let { metadata } = found
    for (const place of own) {
      const dependent = await this.#read(cluster, place, signal)
      if (dependent === undefined || !isWaiting(dependent.metadata)) continue
      const ownerReferences = metadata.ownerReferences?.map((each) => ({ ...each, blockOwnerDeletion: false }))
      metadata = (await this.#patch(found, { ownerReferences }, signal))?.metadata ?? metadata
      break
    }
    const { uid = '', resourceVersion = '' } = metadata
    const propagationPolicy = own.length > 0 ? 'Foreground' : policyOf(metadata)
    const options = { propagationPolicy, preconditions: { uid, resourceVersion }, signal } as const
    await unlessGone(this.#options.clientFor(cluster).delete(found.at, options))
  }

  // Order matters: the owner is registered as waiting before the dependents are checked, so that the deletion of the
  // last one wakes it. Only dependents with blockOwnerDeletion are waited for.
  async #waitForDependents(found: Found, signal: AbortSignal): Promise<ReconcileResult> {
    const { cluster, at, metadata } = found
    const uid = metadata.uid ?? ''
    await this.#eachDependent(cluster, uid, new Map([[uid, { kind: 'waiting', at, metadata }]]), signal)
    this.#options.onWaiting(uid, { ...found.place, cluster })
    for (const place of await this.#options.index.dependentsOf(cluster, uid)) {
      const dependent = await this.#read(cluster, place, signal)
      const reference = dependent?.metadata.ownerReferences?.find((each) => each.uid === uid)
      if (reference?.blockOwnerDeletion === true) return { kind: 'again' }
    }
    await this.#removeFinalizer(found, foregroundFinalizer, signal)
    return undefined
  }

  // The finalizer is removed last: after a crash the remaining dependents are orphaned on the next attempt.
  async #orphan(found: Found, signal: AbortSignal): Promise<void> {
    const { cluster } = found
    const uid = found.metadata.uid ?? ''
    await attemptAll(await this.#options.index.dependentsOf(cluster, uid), parallelism, async (place) => {
      const dependent = await this.#read(cluster, place, signal)
      const references = dependent?.metadata.ownerReferences ?? []
      const ownerReferences = references.filter((each) => each.uid !== uid)
      if (dependent !== undefined && ownerReferences.length < references.length)
        await this.#patch(dependent, { ownerReferences }, signal)
    })
    await this.#removeFinalizer(found, orphanFinalizer, signal)
  }

  async #eachDependent(cluster: string, ownerUid: string, known: KnownOwners, signal: AbortSignal): Promise<void> {
    const dependents = await this.#options.index.dependentsOf(cluster, ownerUid)
    await attemptAll(dependents, parallelism, async (place) => {
      const found = await this.#read(cluster, place, signal)
      // An object that is already being deleted needs no action.
      if (found !== undefined && found.metadata.deletionTimestamp == null) await this.#collect(found, signal, known)
    })
  }

  async #read(cluster: string, place: Dependent, signal: AbortSignal): Promise<Found | undefined> {
    const { clientFor, resources } = this.#options
    const { group, resource, namespace, name } = place
    const type = await resources.byResource(cluster, group, resource)
    if (type === undefined) return undefined
    const at = { group, version: type.version, resource, name, ...(type.namespaced ? { namespace } : {}) }
    const object = await clientFor(cluster).find(at, { form: 'metadata', signal })
    return object === undefined ? undefined : { cluster, place, at, metadata: object.metadata }
  }

  async #stateOf(
    { cluster, place }: Found,
    reference: OwnerReference,
    signal: AbortSignal,
    known: KnownOwners,
  ): Promise<OwnerState> {
    const { clientFor, resources } = this.#options
    const state = known.get(reference.uid)
    return state ?? ownerState(clientFor(cluster), resources, cluster, reference, place.namespace, signal)
  }

  #removeFinalizer(found: Found, finalizer: string, signal: AbortSignal): Promise<unknown> {
    return this.#patch(found, { finalizers: withoutFinalizer(found.metadata.finalizers, finalizer) }, signal)
  }

  // The patch includes the resourceVersion: a decision based on outdated metadata is made again.
  #patch({ cluster, at, metadata }: Found, change: object, signal: AbortSignal): Promise<Stored | undefined> {
    const { uid, resourceVersion } = metadata
    const patch = { metadata: { uid, resourceVersion, ...change } }
    return unlessGone(
      this.#options.clientFor(cluster).patch(at, { kind: 'merge', patch }, { form: 'metadata', signal }),
    )
  }
}

/** An object that was read, with its location. */
interface Found {
  readonly cluster: string
  readonly place: Dependent
  readonly at: ObjectAt
  readonly metadata: ObjectMeta
}

const parallelism = 8

function policyOf({ finalizers }: ObjectMeta): 'Orphan' | 'Foreground' | 'Background' {
  if (finalizers?.includes(orphanFinalizer)) return 'Orphan'
  return finalizers?.includes(foregroundFinalizer) ? 'Foreground' : 'Background'
}

async function unlessGone<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (failedWith(error, 'NotFound')) return undefined
    throw error
  }
}

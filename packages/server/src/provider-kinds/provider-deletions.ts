import type { Clock } from '@hykube/machinery/base'
import { messageOf } from '@hykube/machinery/base'
import { withoutFinalizer } from '@hykube/machinery/object'
import type { Estate } from '../estate/index.ts'
import { kindsFinalizer, type ProviderObject } from '../provider/index.ts'
import { decodeObject, type ObjectLocation, type ObjectStore } from '../resource/index.ts'
import { deleteProviderObjects, type Remaining } from './delete-provider-objects.ts'
import { removeStubs, stubsOf } from './kind-stubs.ts'
import { providerResource, writeProviderStatus } from './provider-status.ts'

export interface ProviderDeletionsOptions {
  readonly objects: ObjectStore
  readonly estate: Estate
  readonly clock: Clock
  /** Reports an error of the background work, which is retried. */
  readonly report: (message: string) => void
}

/**
 * Finishes the deletion of Providers: deletes their objects, waits until plans have destroyed the real resources, and then removes the
 * finalizer. Every server on a store does this; each step is idempotent.
 */
export class ProviderDeletions {
  readonly #options: ProviderDeletionsOptions
  readonly #leaving = new Map<string, { readonly uid: string; readonly stop: AbortController }>()
  readonly #work = new Set<Promise<void>>()

  constructor(options: ProviderDeletionsOptions) {
    this.#options = options
  }

  /** Starts the deletion of a Provider. */
  take(place: ObjectLocation, uid: string): void {
    const key = keyOf(place)
    if (this.#leaving.get(key)?.uid === uid) return
    this.drop(place)
    const stop = new AbortController()
    this.#leaving.set(key, { uid, stop })
    const work = this.#run(place, uid, stop.signal).finally(() => this.#work.delete(work))
    this.#work.add(work)
  }

  /** Stops working on a Provider that was removed or created again. */
  drop(place: ObjectLocation): void {
    this.#leaving.get(keyOf(place))?.stop.abort()
    this.#leaving.delete(keyOf(place))
  }

  async close(): Promise<void> {
    for (const { stop } of this.#leaving.values()) stop.abort()
    await Promise.all(this.#work)
  }

  async #run(place: ObjectLocation, uid: string, signal: AbortSignal): Promise<void> {
    const { clock, report } = this.#options
    while (!signal.aborted) {
      const begun = clock.now()
      try {
        if (await this.#attempt(place, uid)) return
      } catch (error) {
        if (!signal.aborted) report(`provider ${keyOf(place)} cannot be removed yet: ${messageOf(error)}`)
      }
      const pause = Math.max(shortestPause, pauseForWork * (clock.now() - begun))
      await clock.sleep(pause, signal).catch(() => {})
    }
  }

  // Returns true when the Provider is removed.
  async #attempt(place: ObjectLocation, uid: string): Promise<boolean> {
    const { objects, estate, clock } = this.#options
    const { cluster, name } = place
    // Another server may have removed it, and a user may have created a new one with the same name, whose objects must stay.
    const stored = await objects.get(providerResource, place)
    if (stored === undefined || decodeObject(stored.bytes).metadata?.uid !== uid) return true
    const remaining = await deleteProviderObjects(objects, estate, { cluster, provider: name }, clock.now())
    if (remaining === undefined) {
      await removeStubs(objects, cluster, await stubsOf(objects, cluster, name))
      await this.#removeFinalizer(place, uid)
      return true
    }
    const message = remainingText(remaining)
    const condition = { type: 'Terminating', status: 'True', reason: 'ObjectsRemain', message } as const
    await writeProviderStatus(objects, place, uid, { conditions: [condition] }, clock.now())
    return false
  }

  async #removeFinalizer(place: ObjectLocation, uid: string): Promise<void> {
    const { objects } = this.#options
    for (;;) {
      const before = await objects.get(providerResource, place)
      if (before === undefined) return
      const object: ProviderObject = decodeObject(before.bytes)
      if (object.metadata?.uid !== uid) return
      const { finalizers, ...metadata } = object.metadata
      const kept = withoutFinalizer(finalizers, kindsFinalizer) ?? []
      const next = { ...object, metadata: { ...metadata, ...(kept.length > 0 && { finalizers: kept }) } }
      const change = { resource: providerResource, place, before, beforeObject: object, tag: before.tag }
      const outcome = await objects.change([
        kept.length === 0 ? { ...change, after: undefined, final: next } : { ...change, after: next },
      ])
      if (outcome.kind === 'committed') return
    }
  }
}

// Milliseconds between attempts: at least 1 s, and 20 times as long as the last attempt took, so that it uses at most 5 % of the time.
const shortestPause = 1000
const pauseForWork = 20

function remainingText({ objects, kept }: Remaining): string {
  const what = objects === 0 ? 'real resources without an object remain' : `${objects} objects have real resources`
  const plan = `${what}: a plan destroys them (hykube plan -A, then hykube apply -A)`
  return kept.length === 0 ? plan : `${plan}; lifecycle.prevent_destroy keeps ${kept.join(', ')}`
}

function keyOf({ cluster, name }: ObjectLocation): string {
  return `${cluster}/${name}`
}

import type { Clock } from '@hykube/machinery/base'
import { withoutFinalizer } from '@hykube/machinery/object'
import type { Estate } from '../estate/index.ts'
import { leavingFinalizer, type ProviderObject } from '../provider/index.ts'
import { decodeObject, type ObjectPlace, type ObjectStore } from '../resource/index.ts'
import { emptyProvider, type Remaining } from './empty-provider.ts'
import { removeStubs, stubsOf } from './kind-stubs.ts'
import { providerPlace, tellProvider } from './provider-status.ts'

export interface LeavingProvidersOptions {
  readonly objects: ObjectStore
  readonly estate: Estate
  readonly clock: Clock
  /** Told what went wrong in the background; it is tried again. */
  readonly report: (message: string) => void
}

/**
 * Takes Providers away that were deleted: their objects are asked to go, what exists outside is destroyed by plans in the meantime, and
 * when nothing is left the Provider goes. Every server on a store does the same, and whoever is second finds it done.
 */
export class LeavingProviders {
  readonly #options: LeavingProvidersOptions
  readonly #leaving = new Map<string, { readonly uid: string; readonly stop: AbortController }>()
  readonly #work = new Set<Promise<void>>()

  constructor(options: LeavingProvidersOptions) {
    this.#options = options
  }

  /** A Provider shall go. */
  take(place: ObjectPlace, uid: string): void {
    const key = keyOf(place)
    if (this.#leaving.get(key)?.uid === uid) return
    this.drop(place)
    const stop = new AbortController()
    this.#leaving.set(key, { uid, stop })
    const work = this.#empty(place, uid, stop.signal).finally(() => this.#work.delete(work))
    this.#work.add(work)
  }

  /** A Provider is gone, or there anew. */
  drop(place: ObjectPlace): void {
    this.#leaving.get(keyOf(place))?.stop.abort()
    this.#leaving.delete(keyOf(place))
  }

  async close(): Promise<void> {
    for (const { stop } of this.#leaving.values()) stop.abort()
    await Promise.all(this.#work)
  }

  async #empty(place: ObjectPlace, uid: string, signal: AbortSignal): Promise<void> {
    const { clock, report } = this.#options
    while (!signal.aborted) {
      const begun = clock.now()
      try {
        if (await this.#attempt(place, uid)) return
      } catch (error) {
        if (!signal.aborted) report(`provider ${keyOf(place)} could not be taken away yet: ${messageOf(error)}`)
      }
      const pause = Math.max(shortestPause, pauseForWork * (clock.now() - begun))
      await clock.sleep(pause, signal).catch(() => {})
    }
  }

  // True when it could be let go.
  async #attempt(place: ObjectPlace, uid: string): Promise<boolean> {
    const { objects, estate, clock } = this.#options
    const { cluster, name } = place
    // Another server may have let it go, and somebody created it anew: then its objects are none of ours.
    const stored = await objects.get(providerPlace, place)
    if (stored === undefined || decodeObject(stored.bytes).metadata?.uid !== uid) return true
    const remaining = await emptyProvider(objects, estate, { cluster, provider: name }, clock.now())
    if (remaining === undefined) {
      await removeStubs(objects, cluster, await stubsOf(objects, cluster, name))
      await this.#letGo(place, uid)
      return true
    }
    const message = remainingText(remaining)
    const condition = { type: 'Terminating', status: 'True', reason: 'ObjectsRemain', message } as const
    await tellProvider(objects, place, uid, { conditions: [condition] }, clock.now())
    return false
  }

  async #letGo(place: ObjectPlace, uid: string): Promise<void> {
    const { objects } = this.#options
    for (;;) {
      const before = await objects.get(providerPlace, place)
      if (before === undefined) return
      const object: ProviderObject = decodeObject(before.bytes)
      if (object.metadata?.uid !== uid) return
      const { finalizers, ...metadata } = object.metadata
      const kept = withoutFinalizer(finalizers, leavingFinalizer) ?? []
      const next = { ...object, metadata: { ...metadata, ...(kept.length > 0 && { finalizers: kept }) } }
      const change = { resource: providerPlace, place, before, beforeObject: object, tag: before.tag }
      const outcome = await objects.change([
        kept.length === 0 ? { ...change, after: undefined, final: next } : { ...change, after: next },
      ])
      if (outcome.kind === 'committed') return
    }
  }
}

// How long it is waited before it is looked again, in milliseconds: at least, and for each one that looking took.
const shortestPause = 1000
const pauseForWork = 20

function remainingText({ objects, kept }: Remaining): string {
  const what = objects === 0 ? 'something exists outside whose object is gone' : `${objects} objects exist outside`
  const plan = `${what}: a plan destroys them (hykube plan -A, then hykube apply -A)`
  return kept.length === 0 ? plan : `${plan}; lifecycle.prevent_destroy keeps ${kept.join(', ')}`
}

function keyOf({ cluster, name }: ObjectPlace): string {
  return `${cluster}/${name}`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

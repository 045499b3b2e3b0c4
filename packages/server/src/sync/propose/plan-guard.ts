import { timeToText } from '@hykube/machinery/amounts'
import type { KubernetesObject } from '@hykube/machinery/object'
import { changePlanStatus, planResource, planStatusOf, policyUidAnnotation, recordEvents } from '../../plans/index.ts'
import {
  decodeObject,
  type ObjectLocation,
  type ObservedChange,
  objectFromKey,
  objectRange,
} from '../../resource/index.ts'
import type { SyncParts } from '../parts.ts'
import type { PolicyBook } from '../policy/policy-book.ts'
import { openUntil } from '../policy/windows.ts'
import { aborted, sleepUntil } from '../sleep-until.ts'
import { isApprovedByPolicy } from './approval.ts'

/**
 * Stops the Plans that policies approved once they may apply no longer: the window has ended, or the policy was suspended,
 * deleted or given another mode. It is apart from the making of Plans, which may take long, so that a window ends in time.
 */
export class PlanGuard {
  readonly #parts: SyncParts
  readonly #book: PolicyBook
  readonly #running = new Map<string, RunningPlan>()
  readonly #closing = new AbortController()
  readonly #stopListening: () => void
  #wake = new AbortController()
  #done: Promise<void> = Promise.resolve()

  constructor(parts: SyncParts, book: PolicyBook) {
    this.#parts = parts
    this.#book = book
    this.#stopListening = parts.hub.listen((changes) => this.#follow(changes))
  }

  start(): void {
    this.#done = this.#run().catch((error: Error) => {
      if (!this.#closing.signal.aborted) this.#parts.report(`cannot stop the plans of sync policies: ${error.message}`)
    })
  }

  async close(): Promise<void> {
    this.#stopListening()
    this.#closing.abort()
    await this.#done
  }

  /** A policy was written or deleted. */
  policiesChanged(): void {
    this.#wake.abort()
  }

  #follow(changes: readonly ObservedChange[]): void {
    for (const change of changes) {
      const { group, resource } = change.place
      if (group !== planResource.group || resource !== planResource.resource) continue
      // The object is decoded on access, so it is read for Plans only.
      if (change.kind === 'put') this.#take(change.place, change.object)
      else this.#running.delete(change.object.metadata?.uid ?? '')
    }
  }

  #take({ cluster, namespace, name }: ObjectLocation, object: KubernetesObject): void {
    const uid = object.metadata?.uid ?? ''
    const policy = object.metadata?.annotations?.[policyUidAnnotation]
    if (policy == null || !mayBeStopped(object)) return void this.#running.delete(uid)
    if (this.#running.has(uid)) return
    this.#running.set(uid, { uid, policy, location: { cluster, namespace, name } })
    this.#wake.abort()
  }

  async #run(): Promise<void> {
    await this.#readPlans()
    const { signal } = this.#closing
    while (!signal.aborted) {
      this.#wake = new AbortController()
      const until = AbortSignal.any([signal, this.#wake.signal])
      const next = await this.#stopPlans()
      if (next === undefined) await aborted(until)
      else await sleepUntil(this.#parts.clock, next, until).catch(() => {})
    }
  }

  async #readPlans(): Promise<void> {
    const { objects } = this.#parts
    for await (const entries of objects.pages(objectRange(planResource)))
      for (const { key, value } of entries) this.#take(objectFromKey(key), decodeObject(value))
  }

  // Returns when the first window of a Plan that goes on ends; undefined when none ends.
  async #stopPlans(): Promise<number | undefined> {
    const { clock, report, isFencedOff } = this.#parts
    let next = Number.POSITIVE_INFINITY
    for (const plan of [...this.#running.values()]) {
      const allowed = this.#allowedUntil(plan)
      if (typeof allowed === 'number') {
        next = Math.min(next, allowed)
        continue
      }
      try {
        await this.#stop(plan, allowed.why)
      } catch (error) {
        if (this.#closing.signal.aborted || isFencedOff?.(error) === true) throw error
        report(`cannot stop plan ${plan.location.namespace}/${plan.location.name}: ${(error as Error).message}`)
        next = Math.min(next, clock.now() + retryAfter)
      }
    }
    return Number.isFinite(next) ? next : undefined
  }

  #allowedUntil({ policy: uid }: RunningPlan): number | { readonly why: string } {
    const policy = [...this.#book.all].find(({ object }) => object.metadata?.uid === uid)
    if (policy === undefined) return { why: 'the sync policy was deleted' }
    const { mode, suspend, windows } = policy.settings
    if (suspend) return { why: 'the sync policy was suspended' }
    if (mode !== 'Reconcile') return { why: `the mode of the sync policy is ${mode}` }
    return openUntil(windows, this.#parts.clock.now()) ?? { why: 'the window of the sync policy has ended' }
  }

  async #stop({ uid, location }: RunningPlan, why: string): Promise<void> {
    const { objects, clock } = this.#parts
    const at = timeToText(clock.now())
    const stopped = await changePlanStatus(objects, location, uid, (status, object) =>
      mayBeStopped(object) ? { ...status, canceled: { by: status.approval?.by ?? '', at } } : undefined,
    )
    this.#running.delete(uid)
    if (stopped === undefined) return
    const subject = { ...location, uid, apiVersion: 'hykube.io/v1alpha1', kind: 'Plan' }
    await recordEvents(objects, clock, [[subject, { type: 'Normal', reason: 'Stopped', message: why }]])
  }
}

interface RunningPlan {
  readonly uid: string
  /** The uid of the policy. */
  readonly policy: string
  readonly location: ObjectLocation
}

function mayBeStopped(plan: KubernetesObject): boolean {
  const { phase, approval, canceled } = planStatusOf(plan)
  return (phase === 'Approved' || phase === 'Applying') && canceled === undefined && isApprovedByPolicy(approval)
}

const retryAfter = 5000

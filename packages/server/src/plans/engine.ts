import { timeFromText, timeToText } from '@hykube/machinery/amounts'
import { messageOf } from '@hykube/machinery/base'
import type { KubernetesObject } from '@hykube/machinery/object'
import { finalPhases, type PlanStatus } from '@hykube/machinery/plan-api'
import { dropChanges } from '../estate/index.ts'
import {
  decodeObject,
  type ObjectLocation,
  type ObservedChange,
  objectFromKey,
  objectRange,
} from '../resource/index.ts'
import { authorAnnotation } from './api/plan-author.ts'
import { planSpecOf, waitOf } from './api/plan-spec.ts'
import { changePlanStatus, planStatusOf, readPlan } from './api/plan-status.ts'
import { planResource } from './api/plan-type.ts'
import { recoverOpenCalls } from './applying/recover-plan.ts'
import { runApplying } from './applying/run-applying.ts'
import { UseClaims } from './applying/use-claims.ts'
import { endRestoredPlan, isWaiting } from './end-restored-plans.ts'
import type { EngineParts } from './engine-parts.ts'
import { expirePlans } from './expire-plans.ts'
import { runPlanning } from './planning/run-planning.ts'
import { recordEvent } from './status/events.ts'

/**
 * Runs Plan objects through their phases: it makes plans that are Pending and applies plans that are Approved. It watches the store for
 * plans and approvals, and after a restart it continues plans that were interrupted.
 */
export class Engine {
  readonly #parts: EngineParts
  readonly #claims = new UseClaims()
  readonly #running = new Map<string, Running>()
  readonly #stopListening: () => void
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #closing = new AbortController()
  #closed = false

  private constructor(parts: EngineParts) {
    this.#parts = parts
    this.#stopListening = parts.hub.listen((changes) => this.#follow(changes))
  }

  /** Starts with the stored plans and then watches for changes. */
  static async open(parts: EngineParts): Promise<Engine> {
    const engine = new Engine(parts)
    const range = objectRange(planResource)
    for await (const entries of parts.objects.pages(range)) {
      for (const { key, value, revision } of entries) {
        const object = decodeObject(value)
        const place = objectFromKey(key)
        // The watch delivers the change that this makes.
        if (revision <= (parts.restoredAt ?? 0) && isWaiting(planStatusOf(object)))
          await endRestoredPlan(parts, place, object.metadata?.uid ?? '')
        else engine.#take(place, object)
      }
    }
    void engine.#expireRegularly()
    engine.#later(0, () => engine.#recoverRegularly())
    return engine
  }

  /** Starts nothing new and waits until running calls have ended. */
  async close(): Promise<void> {
    this.#closed = true
    this.#closing.abort()
    this.#stopListening()
    for (const timer of this.#timers) clearTimeout(timer)
    for (const { stop } of this.#running.values()) stop.abort(new Error('the server is stopping'))
    await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  async #expireRegularly(): Promise<void> {
    const { clock, report } = this.#parts
    const { signal } = this.#closing
    while (!signal.aborted) {
      await expirePlans(this.#parts).catch((error: unknown) => {
        if (!signal.aborted) report(`cannot delete expired plans: ${messageOf(error)}`)
      })
      await clock.sleep(betweenExpiries, signal).catch(() => {})
    }
  }

  #follow(changes: readonly ObservedChange[]): void {
    for (const change of changes) {
      const { group, resource, ...place } = change.place
      if (group !== planResource.group || resource !== planResource.resource) continue
      if (change.kind === 'put') this.#take(place, change.object)
      else this.#forget(place, change.object)
    }
  }

  #take({ cluster, namespace, name }: ObjectLocation, object: KubernetesObject): void {
    if (this.#closed) return
    const uid = object.metadata?.uid ?? ''
    const status = planStatusOf(object)
    const running = this.#running.get(uid)
    if (running !== undefined) {
      if (status.canceled !== undefined) running.stop.abort(canceledReason)
      return
    }
    if (finalPhases.has(status.phase)) return
    if (status.phase === 'Planned') this.#expireLater({ cluster, namespace, name }, uid, object, status)
    else this.#start({ cluster, namespace, name }, uid)
  }

  #start(place: ObjectLocation, uid: string): void {
    const stop = new AbortController()
    const done = this.#run(place, uid, stop.signal)
      .then(
        () => false,
        (error: unknown) => this.#reportFailure(place, error),
      )
      .finally(() => this.#running.delete(uid))
      .then((mustRetry) => this.#checkAgain(place, uid, mustRetry))
    this.#running.set(uid, { stop, done })
  }

  // Returns true when the plan should be retried, because the store may be reachable again.
  #reportFailure({ namespace, name }: ObjectLocation, error: unknown): boolean {
    this.#parts.report(`plan ${namespace}/${name}: ${messageOf(error)}`)
    return this.#parts.isFencedOff?.(error) !== true
  }

  // Checks a plan again after a phase, because changes during the phase were ignored. After a failure it waits first.
  async #checkAgain(place: ObjectLocation, uid: string, mustRetry: boolean): Promise<void> {
    if (mustRetry) return this.#later(retryAfter, () => this.#checkAgain(place, uid, false))
    const object = this.#closed ? undefined : await readPlan(this.#parts.objects, place).catch(() => undefined)
    if (object === undefined || object.metadata?.uid !== uid) return
    const { phase } = planStatusOf(object)
    if (phase === 'Approved' || phase === 'Planned' || phase === 'Applying') this.#take(place, object)
  }

  async #run(place: ObjectLocation, uid: string, signal: AbortSignal): Promise<void> {
    const object = await readPlan(this.#parts.objects, place)
    if (object === undefined || object.metadata?.uid !== uid) return
    const { phase, canceled } = planStatusOf(object)
    if (canceled !== undefined && phase !== 'Applying') return void (await this.#cancel(place, uid))
    if (phase === 'Pending' || phase === 'Planning') {
      const planned = await runPlanning(this.#parts, { place, object }, signal)
      await this.#recordPhase(place, uid, planned)
      if (planned?.phase === 'Planned' && planSpecOf(object).approval === 'Automatic') await this.#approve(place, uid)
    } else if (phase === 'Approved' || phase === 'Applying') {
      // A canceled plan that is continued after a restart only recovers its open calls.
      const until = canceled === undefined ? signal : AbortSignal.any([signal, AbortSignal.abort(canceledReason)])
      await this.#recordPhase(place, uid, await runApplying(this.#parts, { place, object }, this.#claims, until))
    }
  }

  async #recordPhase(place: ObjectLocation, uid: string, status: PlanStatus | undefined): Promise<void> {
    if (status === undefined) return
    const { phase, summary, outcome, message } = status
    const isGood = phase === 'Planned' || phase === 'NoChanges' || phase === 'Applied'
    const counts = outcome === undefined ? countsOf(summary) : countsOf(outcome)
    await recordEvent(
      this.#parts.objects,
      this.#parts.clock,
      { ...place, uid, apiVersion: 'hykube.io/v1alpha1', kind: 'Plan' },
      { type: isGood ? 'Normal' : 'Warning', reason: phase, message: [counts, message].filter(Boolean).join(': ') },
    )
  }

  async #approve(place: ObjectLocation, uid: string): Promise<void> {
    const at = timeToText(this.#parts.clock.now())
    await changePlanStatus(this.#parts.objects, place, uid, (status, { metadata }) => ({
      ...status,
      phase: 'Approved',
      approval: {
        decision: 'Approved',
        by: metadata?.annotations?.[authorAnnotation] ?? '',
        at,
        message: 'approved automatically by spec.approval',
      },
    }))
  }

  async #cancel(place: ObjectLocation, uid: string): Promise<void> {
    const finishedAt = timeToText(this.#parts.clock.now())
    await changePlanStatus(this.#parts.objects, place, uid, (status) => ({ ...status, phase: 'Canceled', finishedAt }))
  }

  #expireLater(place: ObjectLocation, uid: string, object: KubernetesObject, { planned, canceled }: PlanStatus): void {
    if (canceled !== undefined) return void this.#cancel(place, uid)
    const { clock, objects } = this.#parts
    const until = (timeFromText(planned?.at ?? '') ?? clock.now()) + waitOf(planSpecOf(object))
    const expire = async () => {
      await changePlanStatus(objects, place, uid, (status) =>
        status.phase === 'Planned'
          ? { ...status, phase: 'Expired', finishedAt: timeToText(clock.now()), message: 'it was not approved in time' }
          : undefined,
      )
    }
    this.#later(until - clock.now(), expire)
  }

  #later(milliseconds: number, work: () => Promise<void>): void {
    if (this.#closed) return
    const run = () => {
      this.#timers.delete(timer)
      work().catch((error: unknown) => this.#parts.report(messageOf(error)))
    }
    const timer = setTimeout(run, Math.min(Math.max(milliseconds, 0), longestTimer))
    timer.unref()
    this.#timers.add(timer)
  }

  // Regularly recovers open calls of ended plans: a call on another machine can be decided only after its deadline.
  async #recoverRegularly(): Promise<void> {
    try {
      await recoverOpenCalls(this.#parts)
    } finally {
      this.#later(recoverEvery, () => this.#recoverRegularly())
    }
  }

  // Deletes the changes of a deleted plan.
  #forget({ cluster }: ObjectLocation, object: KubernetesObject | undefined): void {
    const uid = object?.metadata?.uid
    if (uid === undefined) return
    this.#running.get(uid)?.stop.abort(new Error('the plan was deleted'))
    const operations = dropChanges(cluster, uid)
    void this.#parts.estate.commit({ operations }).catch((error: unknown) => this.#parts.report(messageOf(error)))
  }
}

const canceledReason = new Error('the plan was canceled')

interface Running {
  readonly stop: AbortController
  readonly done: Promise<void>
}

// Milliseconds between searches for expired plans.
const betweenExpiries = 3_600_000

// Milliseconds before a retry after a failure of the store, and between recoveries of open calls.
const retryAfter = 5000
const recoverEvery = 30_000

// The longest delay of a Node.js timer, 24.8 days. A plan that waits longer gets a new timer at the next start.
const longestTimer = 2 ** 31 - 1

function countsOf(counts: object | undefined): string {
  return Object.entries(counts ?? {})
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')
}

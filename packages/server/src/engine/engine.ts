import type { KubernetesObject } from '@hykube/machinery/object'
import { timeFromText, timeToText } from '@hykube/machinery/object'
import { dropChanges } from '../estate/index.ts'
import { decodeObject, type ObjectPlace, type ObservedChange, objectFromKey, objectRange } from '../resource/index.ts'
import { authorAnnotation } from './admission/plan-author.ts'
import type { EngineParts } from './engine-parts.ts'
import { recordEvent } from './events.ts'
import { expirePlans } from './expire-plans.ts'
import { isWaiting, outlive } from './outlived.ts'
import { planSpecOf, waitOf } from './plan-spec.ts'
import { changePlanStatus, finalPhases, type PlanStatus, planStatusOf, readPlan } from './plan-status.ts'
import { planPlace } from './plan-type.ts'
import { recoverLeftOpen } from './recover-plan.ts'
import { runApplying } from './run-applying.ts'
import { runPlanning } from './run-planning.ts'

/**
 * Takes Plan objects through their phases: it plans what is Pending and applies what is Approved. It follows the store, so
 * that whatever writes a plan or its approval sets it going, and goes on after a restart with what was under way.
 */
export class Engine {
  readonly #parts: EngineParts
  readonly #running = new Map<string, Running>()
  readonly #stopListening: () => void
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #closing = new AbortController()
  #closed = false

  private constructor(parts: EngineParts) {
    this.#parts = parts
    this.#stopListening = parts.hub.listen((changes) => this.#follow(changes))
  }

  /** Takes up what there is; then follows. */
  static async open(parts: EngineParts): Promise<Engine> {
    const engine = new Engine(parts)
    const range = objectRange(planPlace)
    let page = await parts.objects.scan(range)
    for (;;) {
      for (const { key, value, revision } of page.entries) {
        const object = decodeObject(value)
        const place = objectFromKey(key)
        // The store tells of the change that this makes, and then it is taken up.
        if (revision <= (parts.restoredAt ?? 0) && isWaiting(planStatusOf(object)))
          await outlive(parts, place, object.metadata?.uid ?? '')
        else engine.#take(place, object)
      }
      if (page.last === undefined) break
      page = await parts.objects.scan(range, { revision: page.revision, after: page.last })
    }
    void engine.#expireNowAndThen()
    engine.#later(0, () => engine.#decideLeftOpen())
    return engine
  }

  /** Begins nothing new, and waits until the calls that were made have ended. */
  async close(): Promise<void> {
    this.#closed = true
    this.#closing.abort()
    this.#stopListening()
    for (const timer of this.#timers) clearTimeout(timer)
    for (const { stop } of this.#running.values()) stop.abort(new Error('the server is stopping'))
    await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  async #expireNowAndThen(): Promise<void> {
    const { clock, report } = this.#parts
    const { signal } = this.#closing
    while (!signal.aborted) {
      await expirePlans(this.#parts).catch((error: unknown) => {
        if (!signal.aborted) report(`finished plans could not be taken away: ${messageOf(error)}`)
      })
      await clock.sleep(betweenExpiries, signal).catch(() => {})
    }
  }

  #follow(changes: readonly ObservedChange[]): void {
    for (const change of changes) {
      const { group, resource, ...place } = change.place
      if (group !== planPlace.group || resource !== planPlace.resource) continue
      if (change.kind === 'put') this.#take(place, change.object)
      else this.#forget(place, change.object)
    }
  }

  #take({ cluster, namespace, name }: ObjectPlace, object: KubernetesObject): void {
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

  #start(place: ObjectPlace, uid: string): void {
    const stop = new AbortController()
    const done = this.#run(place, uid, stop.signal)
      .then(
        () => false,
        (error: unknown) => this.#tellFailure(place, error),
      )
      .finally(() => this.#running.delete(uid))
      .then((isLeft) => this.#lookAgain(place, uid, isLeft))
    this.#running.set(uid, { stop, done })
  }

  // Whether it is worth trying again: the store may be reached by then.
  #tellFailure({ namespace, name }: ObjectPlace, error: unknown): boolean {
    this.#parts.report(`plan ${namespace}/${name}: ${messageOf(error)}`)
    return this.#parts.isFencedOff?.(error) !== true
  }

  // What was written while a phase was under way was not taken up then; what a failure left is gone on with after a while.
  async #lookAgain(place: ObjectPlace, uid: string, isLeft: boolean): Promise<void> {
    if (isLeft) return this.#later(retryAfter, () => this.#lookAgain(place, uid, false))
    const object = this.#closed ? undefined : await readPlan(this.#parts.objects, place).catch(() => undefined)
    if (object === undefined || object.metadata?.uid !== uid) return
    const { phase } = planStatusOf(object)
    if (phase === 'Approved' || phase === 'Planned' || phase === 'Applying') this.#take(place, object)
  }

  async #run(place: ObjectPlace, uid: string, signal: AbortSignal): Promise<void> {
    const object = await readPlan(this.#parts.objects, place)
    if (object === undefined || object.metadata?.uid !== uid) return
    const { phase, canceled } = planStatusOf(object)
    if (canceled !== undefined && phase !== 'Applying') return void (await this.#cancel(place, uid))
    if (phase === 'Pending' || phase === 'Planning') {
      const planned = await runPlanning(this.#parts, { place, object }, signal)
      await this.#tell(place, uid, planned)
      if (planned?.phase === 'Planned' && planSpecOf(object).approval === 'Automatic') await this.#approve(place, uid)
    } else if (phase === 'Approved' || phase === 'Applying') {
      // One that was canceled before a server went on with it only decides what was begun.
      const until = canceled === undefined ? signal : AbortSignal.any([signal, AbortSignal.abort(canceledReason)])
      await this.#tell(place, uid, await runApplying(this.#parts, { place, object }, until))
    }
  }

  async #tell(place: ObjectPlace, uid: string, status: PlanStatus | undefined): Promise<void> {
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

  async #approve(place: ObjectPlace, uid: string): Promise<void> {
    const at = timeToText(this.#parts.clock.now())
    await changePlanStatus(this.#parts.objects, place, uid, (status, { metadata }) => ({
      ...status,
      phase: 'Approved',
      approval: {
        decision: 'Approved',
        by: metadata?.annotations?.[authorAnnotation] ?? '',
        at,
        message: 'approved by its author with spec.approval',
      },
    }))
  }

  async #cancel(place: ObjectPlace, uid: string): Promise<void> {
    const finishedAt = timeToText(this.#parts.clock.now())
    await changePlanStatus(this.#parts.objects, place, uid, (status) => ({ ...status, phase: 'Canceled', finishedAt }))
  }

  #expireLater(place: ObjectPlace, uid: string, object: KubernetesObject, { planned, canceled }: PlanStatus): void {
    if (canceled !== undefined) return void this.#cancel(place, uid)
    const { clock, objects } = this.#parts
    const until = (timeFromText(planned?.at ?? '') ?? clock.now()) + waitOf(planSpecOf(object))
    const expire = async () => {
      await changePlanStatus(objects, place, uid, (status) =>
        status.phase === 'Planned'
          ? { ...status, phase: 'Expired', finishedAt: timeToText(clock.now()), message: 'nobody approved it in time' }
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

  // What plans that are over left open, now and again: a call on another machine is decided when its time is up.
  async #decideLeftOpen(): Promise<void> {
    try {
      await recoverLeftOpen(this.#parts)
    } finally {
      this.#later(leftOpenEvery, () => this.#decideLeftOpen())
    }
  }

  // What a plan would have changed goes with it.
  #forget({ cluster }: ObjectPlace, object: KubernetesObject | undefined): void {
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

// How often it is looked for plans that are kept no longer, in milliseconds.
const betweenExpiries = 3_600_000

// How long it is waited after a failure of the store, and how often it is looked for calls that plans left open, in milliseconds.
const retryAfter = 5000
const leftOpenEvery = 30_000

// The longest that a timer can wait; it is set anew when the server is started again.
const longestTimer = 2 ** 31 - 1

function countsOf(counts: object | undefined): string {
  return Object.entries(counts ?? {})
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

import { timeFromText } from '@hykube/machinery/amounts'
import { checkRequest, type SyncPolicyStatus } from '@hykube/machinery/sync-api'
import { type CheckResult, checkScope, coverageOf } from './check-scope.ts'
import { NamespaceLabels } from './namespace-labels.ts'
import type { SyncParts } from './parts.ts'
import { type Policy, PolicyBook, type StoredPolicy } from './policy/policy-book.ts'
import { PlanGuard } from './propose/plan-guard.ts'
import { Proposals } from './propose/proposals.ts'
import { reportCheck, reportCoverage, reportInactive, reportInvalid } from './report-status.ts'
import { LifecycleScope, PolicyScope } from './scope.ts'
import { sleepUntil } from './sleep-until.ts'

/**
 * Carries out sync policies. Each active policy is one task that sleeps until its next check: without policies nothing runs, and
 * no timer or memory is held per object.
 */
export class Sync {
  readonly #parts: SyncParts
  readonly #tasks = new Map<string, Task>()
  readonly #closing = new AbortController()
  readonly #lifecycle: Promise<void>
  #book: PolicyBook | undefined
  #proposals: Proposals | undefined
  #guard: PlanGuard | undefined

  private constructor(parts: SyncParts) {
    this.#parts = parts
    this.#lifecycle = Promise.all([...parts.clusters].map((cluster) => this.#followLifecycle(cluster))).then(() => {})
  }

  static async open(parts: SyncParts): Promise<Sync> {
    const sync = new Sync(parts)
    sync.#book = await PolicyBook.open(parts.objects, parts.hub, {
      onChange: () => sync.#startAndStop(),
      onInvalid: (policy, problem) => sync.#reportInvalid(policy, problem),
    })
    sync.#proposals = new Proposals(parts, sync.#book)
    sync.#guard = new PlanGuard(parts, sync.#book)
    sync.#startAndStop()
    sync.#guard.start()
    sync.#proposals.start()
    return sync
  }

  /** Begins no further check, and waits for those that run. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#book?.close()
    for (const { stop } of this.#tasks.values()) stop.abort()
    const others = [this.#lifecycle, this.#proposals?.close(), this.#guard?.close()]
    await Promise.all([...others, ...[...this.#tasks.values()].map(({ done }) => done)])
  }

  // A changed spec ends the task of the former one. Status writes keep the generation, and so the task.
  #startAndStop(): void {
    if (this.#closing.signal.aborted || this.#book === undefined) return
    const policies = new Map([...this.#book.all].map((policy) => [taskKey(policy), policy]))
    for (const [key, { stop }] of this.#tasks) if (!policies.has(key)) stop.abort()
    this.#guard?.policiesChanged()
    for (const [key, policy] of policies) if (!this.#tasks.has(key)) this.#start(key, policy)
  }

  #start(key: string, policy: Policy): void {
    const stop = new AbortController()
    const done = this.#run(policy, stop.signal)
      .catch((error: Error) => {
        if (!stop.signal.aborted) this.#parts.report(`sync policy ${policy.location.name}: ${error.message}`)
      })
      .finally(() => {
        if (stop.signal.aborted) this.#tasks.delete(key)
      })
    this.#tasks.set(key, { stop, done })
  }

  async #run(policy: Policy, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts
    const { settings, object } = policy
    if (settings.mode === 'Manual' || settings.suspend) return reportInactive(this.#parts, policy)
    await this.#proposals?.policyChanged(policy)
    const checks = settings.triggers.has('Drift')
    const isNew = (object.status as SyncPolicyStatus | undefined)?.observedGeneration !== object.metadata?.generation
    if (isNew || !checks) await this.#reportCoverage(policy, signal)
    while (!checks) {
      await clock.sleep(this.#after(0, settings.every), signal)
      await this.#reportCoverage(policy, signal)
    }
    let next = this.#firstCheck(object, settings.every)
    for (;;) {
      await sleepUntil(clock, next, signal)
      next = await this.#checkOnce(policy, signal)
    }
  }

  // A new spec and a request for a check count at once; otherwise a restarted server keeps to the schedule.
  #firstCheck({ metadata, status }: Policy['object'], every: number): number {
    const { lastCheck = '', observedGeneration, lastHandledRequest } = (status ?? {}) as SyncPolicyStatus
    const last = observedGeneration === metadata?.generation ? timeFromText(lastCheck) : undefined
    // Requests are compared as text: the client's clock may differ from this one, and times of a status are whole seconds.
    const isRequested = metadata?.annotations?.[checkRequest] !== lastHandledRequest
    return last === undefined || isRequested ? this.#parts.clock.now() : this.#after(last, every)
  }

  // Returns when the next check begins.
  async #checkOnce(policy: Policy, signal: AbortSignal): Promise<number> {
    const { clock, report } = this.#parts
    const began = clock.now()
    const next = this.#after(began, policy.settings.every)
    const scope = this.#scopeOf(policy)
    try {
      const onDrift = (namespace: string) => this.#proposals?.driftFound(policy, namespace)
      const result = await checkScope(this.#parts, scope, `sync-${policy.object.metadata?.uid}`, signal, onDrift)
      await reportCheck(this.#parts, policy, result, next)
      return next
    } catch (error) {
      if (signal.aborted || this.#parts.isFencedOff?.(error) === true) throw error
      report(`sync policy ${policy.location.name}: the check failed: ${(error as Error).message}`)
      return began + Math.min(policy.settings.every, retryAfter)
    }
  }

  #scopeOf(policy: Policy): PolicyScope {
    return new PolicyScope(this.#parts, this.#book!, new NamespaceLabels(this.#parts.objects), policy)
  }

  // A failure is only reported: the next check, or the next time, writes the status again.
  async #reportCoverage(policy: Policy, signal: AbortSignal): Promise<void> {
    try {
      await reportCoverage(this.#parts, policy, await coverageOf(this.#scopeOf(policy), signal))
    } catch (error) {
      if (signal.aborted || this.#parts.isFencedOff?.(error) === true) throw error
      this.#parts.report(`sync policy ${policy.location.name}: cannot count its objects: ${(error as Error).message}`)
    }
  }

  #reportInvalid(policy: StoredPolicy, problem: string): void {
    const { name } = policy.location
    reportInvalid(this.#parts, policy, problem).catch((error: Error) => {
      if (!this.#closing.signal.aborted) this.#parts.report(`sync policy ${name}: ${error.message}`)
    })
  }

  async #followLifecycle(cluster: string): Promise<void> {
    const { clock, report } = this.#parts
    const { signal } = this.#closing
    const scope = new LifecycleScope(this.#parts, cluster, 'Detect')
    while (!signal.aborted) {
      const pause = await checkScope(this.#parts, scope, `sync-lifecycle-${cluster}`, signal).then(
        ({ resources }: CheckResult) => (resources === 0 ? lookForFirst : this.#after(0, scope.settings.every)),
        (error: Error) => {
          if (!signal.aborted) report(`the check of objects with lifecycle.sync failed: ${error.message}`)
          return retryAfter
        },
      )
      await clock.sleep(pause, signal).catch(() => {})
    }
  }

  // Within a tenth around the interval, so that policies that were created together drift apart.
  #after(time: number, every: number): number {
    const random = this.#parts.random ?? Math.random
    return time + every * (0.95 + random() / 10)
  }
}

interface Task {
  readonly stop: AbortController
  readonly done: Promise<void>
}

function taskKey({ object: { metadata } }: Policy): string {
  return `${metadata?.uid} ${metadata?.generation} ${metadata?.annotations?.[checkRequest] ?? ''}`
}

// Times in milliseconds: after a failed check, and while no object sets lifecycle.sync.
const retryAfter = 60_000
const lookForFirst = 60_000

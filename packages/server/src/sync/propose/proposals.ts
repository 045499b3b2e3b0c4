import { policyUidAnnotation } from '../../plans/index.ts'
import type { ObservedChange } from '../../resource/index.ts'
import type { SyncParts } from '../parts.ts'
import type { Policy, PolicyBook } from '../policy/policy-book.ts'
import { reportProposal } from '../report-status.ts'
import { aborted, sleepUntil } from '../sleep-until.ts'
import { type Proposal, propose } from './propose.ts'

/**
 * Decides when a policy is looked at: after edits were collected for its settle time, after drift was found, when one of its Plans
 * ended, and when a window opens. Holds one time per policy and namespace, and one timer for all of them.
 */
export class Proposals {
  readonly #parts: SyncParts
  readonly #book: PolicyBook
  readonly #due = new Map<string, Due>()
  /** Proposals that wait for something, by the uid of the policy and the namespace. */
  readonly #waiting = new Map<string, Map<string, Proposal>>()
  readonly #closing = new AbortController()
  readonly #stopListening: () => void
  #wake = new AbortController()
  #done: Promise<void> = Promise.resolve()

  constructor(parts: SyncParts, book: PolicyBook) {
    this.#parts = parts
    this.#book = book
    this.#stopListening = parts.hub.listen((changes) => this.#follow(changes))
  }

  /** Looks at every policy once, because edits may have waited while no server ran, and then whenever one is due. */
  start(): void {
    this.#done = this.#run()
  }

  async close(): Promise<void> {
    this.#stopListening()
    this.#closing.abort()
    await this.#done
  }

  /** A policy is new, or its spec has changed. */
  async policyChanged(policy: Policy): Promise<void> {
    if (!isProposing(policy)) return
    const { cluster, namespace } = policy.location
    if (namespace !== '') return this.#expect(policy, namespace, 0)
    for (const kind of ['written', 'unsettled'] as const)
      for await (const { ref } of this.#parts.estate.marks(cluster, kind)) this.#expect(policy, ref.namespace, 0)
  }

  /** A check found drift in a namespace. */
  driftFound(policy: Policy, namespace: string): void {
    if (isProposing(policy) && policy.settings.triggers.has('Drift')) this.#expect(policy, namespace, 0)
  }

  // A write to an object of a provider may be an edit or a status: marks tell when the plan is drafted.
  #follow(changes: readonly ObservedChange[]): void {
    const proposing = [...this.#book.all].filter(isProposing)
    if (proposing.length === 0) return
    for (const change of changes.filter(({ place: { group } }) => group.endsWith('hykube.io'))) {
      const { cluster, group, resource, namespace } = change.place
      if (group === 'hykube.io' && resource === 'plans') {
        const { annotations } = (change.kind === 'put' && change.object.metadata) || {}
        const uid = annotations?.[policyUidAnnotation]
        const policy = proposing.find((each) => uid != null && each.object.metadata?.uid === uid)
        if (policy !== undefined) this.#expect(policy, namespace, policy.settings.settle)
      } else if (this.#parts.kinds.at(cluster, group, resource) !== undefined)
        for (const policy of proposing)
          if (covers(policy, cluster, namespace) && policy.settings.triggers.has('Edit'))
            this.#expect(policy, namespace, policy.settings.settle)
    }
  }

  // The first of several events decides: a steady stream of edits must not put the plan off for ever.
  #expect(policy: Policy, namespace: string, wait: number): void {
    this.#at(policy, namespace, this.#parts.clock.now() + wait)
  }

  #at(policy: Policy, namespace: string, at: number): void {
    const uid = policy.object.metadata?.uid ?? ''
    const key = `${uid} ${namespace}`
    if ((this.#due.get(key)?.at ?? Number.POSITIVE_INFINITY) <= at) return
    this.#due.set(key, { uid, namespace, at })
    this.#wake.abort()
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      const [key, next] = [...this.#due].reduce<[string, Due] | []>(
        (first, each) => (first[1] !== undefined && first[1].at <= each[1].at ? first : each),
        [],
      )
      this.#wake = new AbortController()
      const until = AbortSignal.any([signal, this.#wake.signal])
      if (key === undefined || next === undefined) await aborted(until)
      else if (next.at > this.#parts.clock.now()) await sleepUntil(this.#parts.clock, next.at, until).catch(() => {})
      else {
        this.#due.delete(key)
        await this.#propose(next)
      }
    }
  }

  // The status has room for one Plan: of those of a ClusterSyncPolicy one that waits is shown, the first by namespace.
  #shown(policy: Policy, namespace: string, proposal: Proposal): Proposal {
    if (policy.location.namespace !== '') return proposal
    const { plan, problem } = proposal
    const named = { ...proposal, ...(plan !== undefined && { plan: `${namespace}/${plan}` }) }
    const uid = policy.object.metadata?.uid ?? ''
    const waiting = this.#waiting.get(uid) ?? new Map<string, Proposal>()
    this.#waiting.set(uid, waiting)
    waiting.delete(namespace)
    if (problem !== undefined)
      waiting.set(namespace, {
        ...named,
        problem: { ...problem, message: `namespace ${namespace}: ${problem.message}` },
      })
    const [first] = [...waiting.keys()].sort()
    return first === undefined ? named : waiting.get(first)!
  }

  async #propose({ uid, namespace }: Due): Promise<void> {
    const { report, clock, isFencedOff } = this.#parts
    const policy = [...this.#book.all].find(({ object }) => object.metadata?.uid === uid)
    if (policy === undefined || !isProposing(policy)) return void this.#waiting.delete(uid)
    try {
      const proposal = await propose(this.#parts, this.#book, policy, namespace, this.#closing.signal)
      if (proposal.problem?.reason === 'ActorForbidden') this.#parts.metrics.countProposal('forbidden')
      await reportProposal(this.#parts, policy, this.#shown(policy, namespace, proposal))
      if (proposal.again !== undefined) this.#at(policy, namespace, Math.max(proposal.again, clock.now() + 1000))
    } catch (error) {
      if (this.#closing.signal.aborted || isFencedOff?.(error) === true) return
      this.#parts.metrics.countProposal('failed')
      report(`sync policy ${policy.location.name}: cannot propose a plan in ${namespace}: ${(error as Error).message}`)
      this.#expect(policy, namespace, retryAfter)
    }
  }
}

interface Due {
  readonly uid: string
  readonly namespace: string
  readonly at: number
}

/** Reports whether a policy creates Plans. */
export function isProposing({ settings: { mode, suspend } }: Policy): boolean {
  return !suspend && (mode === 'Propose' || mode === 'Reconcile')
}

function covers({ location }: Policy, cluster: string, namespace: string): boolean {
  return location.cluster === cluster && (location.namespace === '' || location.namespace === namespace)
}

const retryAfter = 60_000

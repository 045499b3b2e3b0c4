import { timeFromText, timeToText } from '@hykube/machinery/amounts'
import { findCondition } from '@hykube/machinery/object'
import type { PlanSpec, PlanStatus, PlanSummary } from '@hykube/machinery/plan-api'
import { selectsLabels } from '@hykube/machinery/selector'
import type { SyncPolicyStatus } from '@hykube/machinery/sync-api'
import type { UserInfo } from '../../auth/index.ts'
import { sourceOf, wasDestroyed } from '../../estate/index.ts'
import { type ResourceObject, refToText } from '../../model/index.ts'
import {
  changePlanStatus,
  digestAnnotation,
  draftPlan,
  dropDraft,
  policyUidAnnotation,
  rateAnnotation,
  recordEvents,
  storeDraft,
} from '../../plans/index.ts'
import { NamespaceLabels } from '../namespace-labels.ts'
import type { SyncParts } from '../parts.ts'
import type { Policy, PolicyBook } from '../policy/policy-book.ts'
import { nextOpening, openUntil } from '../policy/windows.ts'
import { actorOf } from '../scope.ts'
import { approvalOf } from './approval.ts'
import { type Setback, setbacksOf } from './failures.ts'
import { deleteOldPlans, nextPlan, type PolicyPlan, plansOf, policyLabel } from './policy-plans.ts'
import { tellStalled } from './tell-stalled.ts'

/** The result of a policy in a namespace. */
export interface Proposal {
  /** The name of the Plan that waits or is applied. */
  readonly plan?: string
  /** Why nothing was proposed although it may be necessary. */
  readonly problem?: { readonly reason: string; readonly message: string }
  /** When to look again although nothing happened; undefined: when something does. */
  readonly again?: number
}

/**
 * Brings the Plan of a policy in a namespace up to date: at most one is open, an equal one is kept, and Reconcile approves it
 * within its windows and limits. Called after edits and drift, when a Plan ends, and when a window opens.
 */
export async function propose(
  parts: SyncParts,
  book: PolicyBook,
  policy: Policy,
  namespace: string,
  signal: AbortSignal,
): Promise<Proposal> {
  const labels = await new NamespaceLabels(parts.objects).of(policy.location.cluster, namespace)
  if (policy.location.namespace === '' && !selectsLabels(policy.settings.namespaceSelector, labels)) return {}
  const actor = actorOf(policy, namespace)
  const { cluster } = policy.location
  const plans = await plansOf(parts, policy, namespace)
  const running = plans.find(({ status }) => ['Pending', 'Planning', 'Approved', 'Applying'].includes(status.phase))
  if (running !== undefined) return { plan: running.location.name }
  if (!parts.allows(actor, { cluster, verb: 'create', resource: 'plans', namespace }))
    return forbidden(parts, policy, actor, 'create plans', namespace)
  const setbacks = await setbacksOf(parts, plans, policy.settings.settle)
  for (const [ref, setback] of setbacks)
    if (setback.until === undefined) await tellStalled(parts, cluster, ref, setback)
  const draft = {
    plan: nextPlan(policy, namespace, plans),
    spec: specOf(policy),
    author: actor,
    triggers: policy.settings.triggers,
    selects: (object: ResourceObject) =>
      isOwn(book, policy, object, labels) && isDue(object, setbacks, parts.clock.now()),
  }
  const made = await draftPlan(parts, draft, signal)
  const again = retryAt(setbacks, parts.clock.now())
  const waiting = plans.find(({ status }) => status.phase === 'Planned')
  // A rejected Plan comes back only with other changes.
  const rejected = plans[0]?.status.phase === 'Rejected' ? plans[0] : undefined
  const known = [waiting, rejected].find((plan) => plan?.digest === made.digest)
  if (made.status.phase !== 'Planned' || known !== undefined) await dropDraft(parts, draft.plan)
  if (made.status.phase !== 'Planned' || known !== waiting) await supersede(parts, waiting)
  if (made.status.phase !== 'Planned') return withAgain({}, again)
  if (known !== undefined) return known === waiting ? decide(parts, policy, known, actor, again) : withAgain({}, again)
  await storeDraft(parts, draft, made, {
    labels: { [policyLabel]: policy.location.name.slice(0, 63) },
    annotations: {
      [policyUidAnnotation]: policy.object.metadata?.uid ?? '',
      [digestAnnotation]: made.digest,
      ...(policy.settings.limits.perMinute !== undefined && {
        [rateAnnotation]: String(policy.settings.limits.perMinute),
      }),
    },
  })
  await tellProposed(parts, policy, draft.plan, made.status)
  const all = await plansOf(parts, policy, namespace)
  await deleteOldPlans(parts, all)
  const stored = all.find(({ uid }) => uid === draft.plan.uid)
  return stored === undefined ? {} : decide(parts, policy, stored, actor, again)
}

async function decide(
  parts: SyncParts,
  policy: Policy,
  plan: PolicyPlan,
  actor: UserInfo,
  again: number | undefined,
): Promise<Proposal> {
  const { clock, objects, demandsSecond } = parts
  const { settings, location } = policy
  const { cluster, namespace, name } = plan.location
  const waits = (reason: string, message: string, at = again): Proposal =>
    withAgain({ plan: name, problem: { reason, message } }, at)
  if (settings.mode !== 'Reconcile') return withAgain({ plan: name }, again)
  if (demandsSecond) return waits('SecondApprover', 'this server demands that author and approver of a plan differ')
  const beyond = beyondLimits(settings.limits, plan.status.summary)
  if (beyond !== undefined) return waits('BeyondLimits', `plan ${name} waits for approval: ${beyond}`)
  if (openUntil(settings.windows, clock.now()) === undefined)
    return waits('WindowClosed', `plan ${name} waits for the next window`, nextOpening(settings.windows, clock.now()))
  if (!parts.allows(actor, { cluster, verb: 'update', resource: 'plans', subresource: 'approval', namespace }))
    return { plan: name, ...forbidden(parts, policy, actor, 'update plans/approval', namespace) }
  const at = timeToText(clock.now())
  const approved = await changePlanStatus(objects, plan.location, plan.uid, (status) =>
    status.phase === 'Planned'
      ? { ...status, phase: 'Approved', approval: approvalOf(location.name, actor.name, at) }
      : undefined,
  )
  if (approved !== undefined) parts.metrics.countProposal('approved')
  return withAgain({ plan: name }, again)
}

function beyondLimits(limits: Policy['settings']['limits'], summary: PlanSummary | undefined): string | undefined {
  const { create = 0, update = 0, replace = 0, delete: deletes = 0, forget = 0 } = summary ?? {}
  const counts = { changes: create + update + replace + deletes + forget, deletes, replaces: replace }
  for (const field of ['changes', 'deletes', 'replaces'] as const)
    if (counts[field] > limits[field]) return `${counts[field]} ${field}, limit ${limits[field]}`
  return undefined
}

async function tellProposed(
  { objects, clock, metrics }: SyncParts,
  { location: { name } }: Policy,
  plan: ReturnType<typeof nextPlan>,
  { summary }: PlanStatus,
): Promise<void> {
  metrics.countProposal('proposed')
  const counts = Object.entries(summary ?? {}).flatMap(([action, count]) => (count > 0 ? `${count} ${action}` : []))
  const message = `proposed by sync policy ${JSON.stringify(name)}: ${counts.join(', ')}`
  const subject = { ...plan, apiVersion: 'hykube.io/v1alpha1', kind: 'Plan' }
  await recordEvents(objects, clock, [[subject, { type: 'Normal', reason: 'Proposed', message }]])
}

async function supersede({ objects, clock, metrics }: SyncParts, plan: PolicyPlan | undefined): Promise<void> {
  if (plan === undefined) return
  const finishedAt = timeToText(clock.now())
  const changed = await changePlanStatus(objects, plan.location, plan.uid, (status) =>
    status.phase === 'Planned'
      ? { ...status, phase: 'Stale', finishedAt, message: 'Superseded: a newer plan of the sync policy differs' }
      : undefined,
  )
  if (changed !== undefined) metrics.countProposal('superseded')
}

function specOf({ object, settings }: Policy): PlanSpec {
  const { selector } = (object.spec ?? {}) as { selector?: PlanSpec['selector'] }
  return {
    ...(selector !== undefined && { selector }),
    ...(settings.kinds.size > 0 && { kinds: [...settings.kinds] }),
  }
}

function isOwn(
  book: PolicyBook,
  policy: Policy,
  object: ResourceObject,
  labels: Record<string, string> | undefined,
): boolean {
  const { ref, kind, spec } = object
  if ((spec.lifecycle as { sync?: unknown } | undefined)?.sync !== undefined) return false
  const stored = sourceOf(object)?.object
  // An object whose real resource was destroyed on request comes back only when its spec is written again.
  if (stored !== undefined && wasDestroyed(stored)) return false
  const { cluster, namespace } = ref
  const [first] = book.matching({ cluster, namespace, type: kind.type, labels: object.labels }, labels)
  return first?.object.metadata?.uid === policy.object.metadata?.uid
}

function isDue({ ref, generation }: ResourceObject, setbacks: ReadonlyMap<string, Setback>, now: number): boolean {
  const setback = setbacks.get(refToText(ref))
  if (setback === undefined || setback.generation !== generation) return true
  return setback.until !== undefined && setback.until <= now
}

function retryAt(setbacks: ReadonlyMap<string, Setback>, now: number): number | undefined {
  const times = [...setbacks.values()].flatMap(({ until }) => (until !== undefined && until > now ? until : []))
  return times.length === 0 ? undefined : Math.min(...times)
}

function withAgain(proposal: Proposal, again: number | undefined): Proposal {
  return again === undefined ? proposal : { ...proposal, again }
}

// The authorizer does not report when a permission returns, so it is asked again. Each pause is as long as the policy has waited so far, so that the pauses double.
function forbidden(
  { clock }: SyncParts,
  { object }: Policy,
  { name }: UserInfo,
  what: string,
  namespace: string,
): Proposal {
  const message = `user ${JSON.stringify(name)} may not ${what} in ${namespace}`
  const { conditions } = (object.status ?? {}) as SyncPolicyStatus
  const known = findCondition(conditions, 'Waiting')
  const since = (known?.status === 'True' && timeFromText(known.lastTransitionTime ?? '')) || clock.now()
  const pause = Math.min(Math.max(clock.now() - since, leastPause), longestPause)
  return { problem: { reason: 'ActorForbidden', message }, again: clock.now() + pause }
}

const leastPause = 30_000
const longestPause = 600_000

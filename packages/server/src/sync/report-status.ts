import { timeToText } from '@hykube/machinery/amounts'
import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import { type Condition, type KubernetesObject, withCondition } from '@hykube/machinery/object'
import { checkRequest, type SyncPolicyStatus } from '@hykube/machinery/sync-api'
import type { EngineParts } from '../plans/index.ts'
import type { CheckResult, Coverage } from './check-scope.ts'
import type { Policy, StoredPolicy } from './policy/policy-book.ts'
import type { Proposal } from './propose/propose.ts'

type StatusParts = Pick<EngineParts, 'objects' | 'clock'>

type Facts = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>

/** Writes the result of a check into the status of its policy. */
export async function reportCheck(
  parts: StatusParts,
  policy: Policy,
  result: CheckResult,
  nextCheck: number,
): Promise<void> {
  const { resources, drifted } = result
  await writeStatus(parts, policy, [readyOf(result), conflictOf(result)], {
    resources,
    drifted,
    lastCheck: timeToText(parts.clock.now()),
    nextCheck: timeToText(nextCheck),
    lastHandledRequest: policy.object.metadata?.annotations?.[checkRequest],
  })
}

/** Writes what a policy covers, before its first check or instead of checks. */
export async function reportCoverage(parts: StatusParts, policy: Policy, coverage: Coverage): Promise<void> {
  const { resources, drifted } = coverage
  const ready = readyOf({ ...coverage, problems: [] }, 'Active')
  // A server that starts before the first check has ended checks at once, because there is no time of a last check.
  const times = { lastCheck: undefined, nextCheck: undefined }
  await writeStatus(parts, policy, [ready, conflictOf(coverage)], { resources, drifted, ...times })
}

/** Says that a stored policy can't be carried out. */
export async function reportInvalid(parts: StatusParts, policy: StoredPolicy, message: string): Promise<void> {
  const invalid: Facts = { type: 'Ready', status: 'False', reason: 'InvalidSpec', message }
  await writeStatus(parts, policy, [invalid], { nextCheck: undefined })
}

/** Writes the newest Plan of a policy, and why it waits, into the policy's status. */
export async function reportProposal(parts: StatusParts, policy: Policy, { plan, problem }: Proposal): Promise<void> {
  const facts: Facts =
    problem === undefined
      ? { type: 'Waiting', status: 'False', reason: 'NotWaiting', message: '' }
      : { type: 'Waiting', status: 'True', ...problem }
  await writeStatus(parts, policy, [facts], plan === undefined ? {} : { plan })
}

/** Says that a policy does nothing by itself: it is suspended, or its mode is Manual. */
export async function reportInactive(parts: StatusParts, policy: Policy): Promise<void> {
  const { suspend } = policy.settings
  const ready: Facts = suspend
    ? { type: 'Ready', status: 'False', reason: 'Suspended', message: 'spec.suspend is true' }
    : { type: 'Ready', status: 'True', reason: 'Manual', message: 'the server does nothing by itself' }
  await writeStatus(parts, policy, [ready], { nextCheck: undefined })
}

function readyOf({ resources, drifted, problems }: CheckResult, reason: 'Checked' | 'Active' = 'Checked'): Facts {
  const [problem] = problems
  if (resources === 0)
    return { type: 'Ready', status: 'False', reason: 'NothingSelected', message: 'the policy holds for no object' }
  if (problem !== undefined)
    return { type: 'Ready', status: 'False', reason: 'ReadFailed', message: `${problems.length} not read: ${problem}` }
  return { type: 'Ready', status: 'True', reason, message: `${drifted} of ${resources} objects drifted` }
}

function conflictOf({ conflicts }: Coverage): Facts {
  const names = [...conflicts].sort().join(', ')
  return conflicts.size === 0
    ? { type: 'Conflict', status: 'False', reason: 'NoConflict', message: '' }
    : {
        type: 'Conflict',
        status: 'True',
        reason: 'OlderPolicy',
        message: `older policies hold for some objects: ${names}`,
      }
}

async function writeStatus(
  { objects, clock }: StatusParts,
  { resource, location, object: { metadata } }: StoredPolicy,
  facts: readonly Facts[],
  change: { readonly [K in keyof SyncPolicyStatus]?: SyncPolicyStatus[K] | undefined },
): Promise<void> {
  const lastTransitionTime = timeToText(clock.now())
  await objects.update(resource, location, (object) => {
    // A policy of the same name that was created since has its own status.
    if (object.metadata?.uid !== metadata?.uid) return undefined
    const before = (object.status ?? {}) as SyncPolicyStatus
    const conditions = facts.reduce<readonly Condition[] | undefined>(
      (all, each) => withCondition(all, { ...each, lastTransitionTime }),
      before.conditions,
    )
    const status = withoutUndefined({ ...before, ...change, observedGeneration: metadata?.generation, conditions })
    return jsonEquals(status as JsonValue, before as JsonValue) ? undefined : { ...object, status }
  })
}

function withoutUndefined(status: object): KubernetesObject['status'] {
  return Object.fromEntries(Object.entries(status).filter(([, value]) => value !== undefined))
}

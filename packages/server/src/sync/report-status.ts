import { timeToText } from '@hykube/machinery/amounts'
import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import { type Condition, type KubernetesObject, withCondition } from '@hykube/machinery/object'
import { checkRequest, type SyncPolicyStatus } from '@hykube/machinery/sync-api'
import type { EngineParts } from '../plans/index.ts'
import type { CheckResult } from './check-scope.ts'
import type { Policy } from './policy/policy-book.ts'
import type { Proposal } from './propose/propose.ts'

type Facts = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>

/** Writes the result of a check into the status of its policy. */
export async function reportCheck(
  parts: Pick<EngineParts, 'objects' | 'clock'>,
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

/** Writes the newest Plan of a policy, and why it waits, into the policy's status. */
export async function reportProposal(
  parts: Pick<EngineParts, 'objects' | 'clock'>,
  policy: Policy,
  { plan, problem }: Proposal,
): Promise<void> {
  const facts: Facts =
    problem === undefined
      ? { type: 'Waiting', status: 'False', reason: 'NotWaiting', message: '' }
      : { type: 'Waiting', status: 'True', ...problem }
  await writeStatus(parts, policy, [facts], plan === undefined ? {} : { plan })
}

/** Says that a policy does nothing by itself: it is suspended, or its mode is Manual. */
export async function reportInactive(parts: Pick<EngineParts, 'objects' | 'clock'>, policy: Policy): Promise<void> {
  const { suspend } = policy.settings
  const ready: Facts = suspend
    ? { type: 'Ready', status: 'False', reason: 'Suspended', message: 'spec.suspend is true' }
    : { type: 'Ready', status: 'True', reason: 'Manual', message: 'the server does nothing by itself' }
  await writeStatus(parts, policy, [ready], { nextCheck: undefined })
}

function readyOf({ resources, drifted, problems }: CheckResult): Facts {
  const [problem] = problems
  if (resources === 0)
    return { type: 'Ready', status: 'False', reason: 'NothingSelected', message: 'the policy holds for no object' }
  if (problem !== undefined)
    return { type: 'Ready', status: 'False', reason: 'ReadFailed', message: `${problems.length} not read: ${problem}` }
  return { type: 'Ready', status: 'True', reason: 'Checked', message: `${drifted} of ${resources} objects drifted` }
}

function conflictOf({ conflicts }: CheckResult): Facts {
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
  { objects, clock }: Pick<EngineParts, 'objects' | 'clock'>,
  { resource, location, object: { metadata } }: Policy,
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

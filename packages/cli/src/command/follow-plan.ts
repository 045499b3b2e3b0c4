import { isAbortError } from '@hykube/machinery/base'
import type { Client, ObjectAt } from '@hykube/runtime/client'
import { follow } from '@hykube/runtime/informer'
import { CommandError } from './failure.ts'
import { type Plan, type PlanPhase, plans } from './plan-api.ts'

/** Where following goes and what it tells besides. */
export interface FollowPlanOptions {
  readonly signal: AbortSignal
  /** Told when the server does not answer for a while; it is asked again. */
  readonly onFailure?: (error: unknown) => void
}

/** A plan as it is now, and as it becomes, until the signal aborts. A plan that is taken away ends it. */
export async function* followPlan(client: Client, at: ObjectAt, options: FollowPlanOptions): AsyncGenerator<Plan> {
  const { signal, onFailure = () => {} } = options
  // What is wrong from the beginning is told at once; what fails later is tried again.
  yield await client.get<Plan>(at, { signal })
  const fieldSelector = `metadata.name=${at.name}`
  const steps = follow<Plan>({ client, at: { ...plans, namespace: at.namespace }, fieldSelector, onFailure }, signal)
  let found = false
  try {
    for await (const step of steps) {
      if (step.kind === 'listing') found = false
      if (step.kind === 'listed' && !found) throw gone(at.name)
      if (step.kind === 'changed' && step.type === 'DELETED') throw gone(at.name)
      if (step.kind === 'object' || step.kind === 'changed') {
        found = true
        yield step.object
      }
    }
  } catch (error) {
    if (!isAbortError(error)) throw error
  }
}

/** Whether a plan is in a phase that it does not leave by itself. */
export function isSettled(plan: Plan): boolean {
  return settled.has(phaseOf(plan))
}

/** The phase of a plan; one that the server has not looked at is pending. */
export function phaseOf({ status }: Plan): PlanPhase {
  return status?.phase ?? 'Pending'
}

const settled: ReadonlySet<PlanPhase> = new Set([
  'NoChanges',
  'Blocked',
  'Rejected',
  'Applied',
  'PartiallyApplied',
  'Failed',
  'Canceled',
  'Stale',
  'Expired',
])

function gone(name: string): CommandError {
  return new CommandError(`plan ${JSON.stringify(name)} was deleted meanwhile`, 'Make another one:  hykube plan')
}

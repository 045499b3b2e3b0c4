import { isAbortError } from '@hykube/machinery/base'
import { finalPhases, type PlanPhase } from '@hykube/machinery/plan-api'
import type { ObjectAt } from '@hykube/runtime/client'
import { follow } from '@hykube/runtime/informer'
import { CommandError } from '../host/failure.ts'
import type { Connection } from '../host/host.ts'
import { inNamespace } from './hint.ts'
import { type Plan, plans } from './plan-api.ts'

export interface FollowPlanOptions {
  readonly signal: AbortSignal
  /** Called when a request fails; it is repeated. */
  readonly onFailure: (error: unknown) => void
}

/** Yields a plan now and after each change, until the signal aborts. The deletion of the plan is a failure. */
export async function* followPlan(
  connection: Connection,
  at: ObjectAt,
  options: FollowPlanOptions,
): AsyncGenerator<Plan> {
  const { signal, onFailure } = options
  const { client } = connection
  // A failure of the first request ends the command; later requests are repeated.
  yield await client.get<Plan>(at, { signal })
  const fieldSelector = `metadata.name=${at.name}`
  const steps = follow<Plan>({ client, at: { ...plans, namespace: at.namespace }, fieldSelector, onFailure }, signal)
  let isFound = false
  try {
    for await (const step of steps) {
      if (step.kind === 'listing') isFound = false
      if (step.kind === 'listed' && !isFound) throw deleted(connection, at)
      if (step.kind === 'changed' && step.type === 'DELETED') throw deleted(connection, at)
      if (step.kind === 'object' || step.kind === 'changed') {
        isFound = true
        yield step.object
      }
    }
  } catch (error) {
    if (!isAbortError(error)) throw error
  }
}

/** Returns true in a final phase. */
export function isSettled(plan: Plan): boolean {
  return finalPhases.has(phaseOf(plan))
}

/** The phase of a plan; Pending until the server sets one. */
export function phaseOf({ status }: Plan): PlanPhase {
  return status?.phase ?? 'Pending'
}

function deleted(connection: Connection, { name, namespace }: ObjectAt): CommandError {
  const flag = inNamespace(connection, namespace)
  return new CommandError(`plan ${JSON.stringify(name)} was deleted`, `Make another one:  hykube plan${flag}`)
}

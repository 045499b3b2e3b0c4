import type { CallOptions } from '@hykube/tfplugin/grpc'
import type { PlanResourceChangeRequest, PlanResourceChangeResponse } from '@hykube/tfplugin/protocol'
import type { InstanceState, Lifecycle } from '../../model/index.ts'
import type { ActionReason } from '../action.ts'
import { invalidAnswer } from '../invalid-answer.ts'
import { type Failure, FindingsOf } from './findings.ts'
import { clientCapabilitiesOf, type ProviderPort, type ResourceInstance } from './instance.ts'
import type { PlannedChange } from './planned-instance.ts'

/** The summary of the `prevent_destroy` error; protect-used recognizes the error by it. */
export const preventedSummary = 'Instance cannot be destroyed'

/** The input of planning a destruction. The lifecycle comes from the stored state, because the object may no longer exist. */
export interface DestroyInput extends ResourceInstance {
  readonly prior: InstanceState
  readonly lifecycle: Pick<Lifecycle, 'preventDestroy' | 'destroy'>
  readonly reason?: ActionReason
}

/** Plans the destruction of a resource, or that it is forgotten when `lifecycle.destroy` is false. */
export async function planDestroy(
  input: DestroyInput,
  provider: ProviderPort,
  options?: CallOptions,
): Promise<PlannedChange | Failure> {
  const request = destroyRequestFor(input)
  if (request === undefined) return judgeDestroy(input, undefined)
  try {
    return judgeDestroy(input, await provider.planResourceChange(request, options))
  } catch (error) {
    return invalidAnswer(input, error, 'Provider produced invalid plan')
  }
}

/** Builds the PlanResourceChange request for a destruction; undefined when no call is needed or the provider doesn't support it. */
export function destroyRequestFor(input: DestroyInput): PlanResourceChangeRequest | undefined {
  const { prior, lifecycle, capabilities, typeName, providerMeta } = input
  if (!lifecycle.destroy || lifecycle.preventDestroy || !capabilities.planDestroy) return undefined
  return {
    typeName,
    priorState: prior.value,
    proposedNewState: null,
    config: null,
    priorPrivate: prior.private,
    clientCapabilities: clientCapabilitiesOf(input),
    ...(prior.identity !== undefined && { priorIdentity: prior.identity }),
    ...(providerMeta !== undefined && { providerMeta }),
  }
}

/** Checks the provider's answer; undefined when it wasn't called. */
export function judgeDestroy(
  input: DestroyInput,
  response: PlanResourceChangeResponse | undefined,
): PlannedChange | Failure {
  const { prior, lifecycle, address } = input
  const findings = new FindingsOf(input, () => [[prior.value, prior.sensitivePaths]])
  if (lifecycle.destroy && lifecycle.preventDestroy) {
    findings.error(
      preventedSummary,
      `${address} has lifecycle.prevent_destroy set, and the plan destroys it. Remove prevent_destroy and apply that first, or leave the instance out of the plan.`,
    )
  }
  findings.add(response?.diagnostics ?? [])
  if (!findings.hasErrors && response !== undefined && (response.plannedState ?? null) !== null)
    findings.bug('Provider produced invalid plan', 'planned an object although it is to be destroyed')
  if (findings.hasErrors) return findings.failure()
  return {
    kind: 'planned',
    action: lifecycle.destroy ? 'delete' : 'forget',
    before: prior.value,
    after: null,
    plannedPrivate: response?.plannedPrivate ?? prior.private,
    requiredReplace: [],
    beforeSensitive: prior.sensitivePaths,
    afterSensitive: [],
    ...(input.reason !== undefined && { reason: input.reason }),
    ...(prior.identity !== undefined && { beforeIdentity: prior.identity }),
    ...findings.all,
  }
}

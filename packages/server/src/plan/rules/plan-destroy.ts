import type { CallOptions } from '@hykube/tfplugin/grpc'
import type { PlanResourceChangeRequest, PlanResourceChangeResponse } from '@hykube/tfplugin/protocol'
import type { ActionReason } from './action.ts'
import { type Failure, FindingsOf } from './findings.ts'
import {
  clientCapabilitiesOf,
  type InstanceState,
  type Lifecycle,
  type ProviderPort,
  type ResourceInstance,
} from './instance.ts'
import { misfit } from './misfit.ts'
import type { PlannedChange } from './planned-instance.ts'

/** The summary of the error that `prevent_destroy` causes. */
export const preventedSummary = 'Instance cannot be destroyed'

/** An object that is to go. What was wished for it is remembered with its state, since nobody may wish for it any more. */
export interface DestroyInput extends ResourceInstance {
  readonly prior: InstanceState
  readonly lifecycle: Pick<Lifecycle, 'preventDestroy' | 'destroy'>
  readonly reason?: ActionReason
}

/** Plans that an object goes: destroyed, or only forgotten when that is wished. */
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
    return misfit(input, error, 'Provider produced invalid plan')
  }
}

/** The question whether an object can be destroyed; undefined when the provider is not to be asked. */
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

/** What the answer means; undefined is that of a provider that was not asked. */
export function judgeDestroy(
  input: DestroyInput,
  response: PlanResourceChangeResponse | undefined,
): PlannedChange | Failure {
  const { prior, lifecycle, address } = input
  const findings = new FindingsOf(input, () => [[prior.value, prior.sensitivePaths]])
  if (lifecycle.destroy && lifecycle.preventDestroy) {
    findings.error(
      preventedSummary,
      `${address} has lifecycle.prevent_destroy set, and the plan destroys it. Take prevent_destroy away and apply that first, or leave the instance out of the plan.`,
    )
  }
  findings.add(response?.diagnostics ?? [])
  if (!findings.hasErrors && response !== undefined && (response.plannedState ?? null) !== null)
    findings.bug('Provider produced invalid plan', 'planned an object where it was to be destroyed')
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

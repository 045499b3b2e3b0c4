import type { CallOptions } from '@hykube/tfplugin/grpc'
import type {
  ApplyResourceChangeRequest,
  PlanResourceChangeRequest,
  PlanResourceChangeResponse,
} from '@hykube/tfplugin/protocol'
import {
  impliedType,
  isUnknown,
  isWhollyKnown,
  type Path,
  pathToText,
  type Value,
  walkValue,
} from '@hykube/tfplugin/value'
import { checkPlannedAction } from './action.ts'
import { assertObjectCompatible } from './compatibility.ts'
import { type Failure, type Findings, FindingsOf } from './findings.ts'
import {
  defaultLifecycle,
  type InstanceState,
  type Lifecycle,
  type ProviderPort,
  type ResourceInstance,
} from './instance.ts'
import { judgePlan, judgeValidation } from './judge-plan.ts'
import { misfit } from './misfit.ts'
import { type PlanInput, planRequestFor, validationRequestFor } from './plan-request.ts'
import type { PlannedChange } from './planned-instance.ts'
import { sameValues } from './same-values.ts'

/** One step of an approved change. A replacement has two, of which each is carried out by itself. */
export interface ApplyInput extends ResourceInstance {
  readonly approved: PlannedChange
  readonly step: ApplyStep
  /** The object as it is kept now; absent to create. A replacement's old object is not the new one's. */
  readonly prior?: InstanceState
  /** With everything known; null to delete. */
  readonly config: Value
  readonly configSensitive: readonly Path[]
  readonly lifecycle: Pick<Lifecycle, 'ignoreChanges'>
  /** The very same configuration was found valid by the same provider. */
  readonly isValidated?: boolean
  /** Nothing that was asked for the approved plan is different now, and the same would be answered. */
  readonly isPlanned?: boolean
}

export type ApplyStep = 'create' | 'update' | 'delete'

/** What a step comes to now that everything is known. */
export type FinalPlan = FinalCall | Settled | Failure

/** Exactly what the provider will be sent: enough to repeat the call, or to find out later what came of it. */
export interface FinalCall extends Findings {
  readonly kind: 'call'
  readonly step: ApplyStep
  readonly request: ApplyResourceChangeRequest
  /** What will be sensitive in the result because of where it came from. */
  readonly afterSensitive: readonly Path[]
}

/** The provider need not be called: nothing changes, or only what of it is sensitive. */
export interface Settled extends Findings {
  readonly kind: 'settled'
  readonly state?: InstanceState
}

/**
 * Plans a step once more with everything known, and holds the result against what was approved. Deleting needs no second
 * plan. Rejects when the provider could not be asked.
 */
export async function finalPlan(input: ApplyInput, provider: ProviderPort, options?: CallOptions): Promise<FinalPlan> {
  const known = finalPlanRequestFor(input)
  if (known.kind !== 'ask') return known
  if (input.isPlanned === true) return approvedPlan(input, known.request)
  if (input.isValidated !== true) {
    const validity = judgeValidation(input, await provider.validateResourceConfig(validationRequestFor(input), options))
    if (validity.kind === 'failed') return validity
  }
  try {
    return judgeFinalPlan(input, known.request, await provider.planResourceChange(known.request, options))
  } catch (error) {
    return misfit(input, error, inconsistent)
  }
}

/** The question that a final plan answers, or the final plan itself where there is nothing to ask. */
export function finalPlanRequestFor(
  input: ApplyInput,
): { readonly kind: 'ask'; readonly request: PlanResourceChangeRequest } | FinalPlan {
  if (input.step === 'delete') return deletion(input)
  if (!isWhollyKnown(input.config)) return stillUnknown(input)
  return { kind: 'ask', request: planRequestFor(planInputOf(input)) }
}

/** What the answer to a final plan's question comes to. */
export function judgeFinalPlan(
  input: ApplyInput,
  request: PlanResourceChangeRequest,
  response: PlanResourceChangeResponse,
): FinalPlan {
  const verdict = judgePlan(planInputOf(input), request, response)
  if (verdict.kind === 'failed') return verdict
  const findings = new FindingsOf(input, () => [[input.config, input.configSensitive]])
  findings.take(verdict)
  if (verdict.kind !== 'planned' || !checkPlannedAction(input.approved.action, verdict.action)) {
    const now = verdict.kind === 'planned' ? verdict.action : verdict.kind
    findings.bug(inconsistent, `planned ${input.approved.action} and now, with more values known, plans ${now}`)
    return findings.failure()
  }
  const { approved } = input
  const problems = assertObjectCompatible(input.schema, approved.after, verdict.after, verdict.afterSensitive)
  findings.bugs(inconsistent, 'plans another value now that more is known', problems, false)
  if (findings.hasErrors) return findings.failure()
  return settled(input, verdict, findings) ?? call(input, request, verdict, findings)
}

// What was approved, as it is: it was held against the same request when it was planned.
function approvedPlan(input: ApplyInput, request: PlanResourceChangeRequest): FinalPlan {
  const findings = new FindingsOf(input)
  return settled(input, input.approved, findings) ?? call(input, request, input.approved, findings)
}

const inconsistent = 'Provider produced inconsistent final plan'

function planInputOf({
  approved,
  step,
  lifecycle,
  prior,
  isValidated: _,
  isPlanned: __,
  ...instance
}: ApplyInput): PlanInput {
  // Whether it may be destroyed was judged with the plan that was approved.
  const wishes = { ...defaultLifecycle, ignoreChanges: lifecycle.ignoreChanges }
  return { ...instance, lifecycle: wishes, ...(step === 'update' && prior !== undefined && { prior }) }
}

function deletion({ approved, typeName, providerMeta }: ApplyInput): FinalCall {
  return {
    kind: 'call',
    step: 'delete',
    request: {
      typeName,
      priorState: approved.before,
      plannedState: null,
      config: null,
      plannedPrivate: approved.plannedPrivate,
      ...(providerMeta !== undefined && { providerMeta }),
    },
    afterSensitive: approved.beforeSensitive,
    diagnostics: [],
    notes: [],
  }
}

function stillUnknown(input: ApplyInput): Failure {
  const findings = new FindingsOf(input)
  const paths: string[] = []
  walkValue(input.config, impliedType(input.schema.block), (value, path) => {
    if (isUnknown(value)) paths.push(pathToText(path))
  })
  const detail = `The configuration of ${input.address} holds values that are still not known when it is applied: ${paths.join(', ')}.`
  findings.error('Configuration contains unknown value', detail)
  return findings.failure()
}

function settled(
  { prior }: ApplyInput,
  { action, before, after, afterSensitive }: PlannedChange,
  findings: FindingsOf,
): Settled | undefined {
  if (prior === undefined || (action !== 'noop' && (action !== 'update' || !sameValues(before, after))))
    return undefined
  const state = action === 'noop' ? prior : { ...prior, sensitivePaths: afterSensitive }
  return { kind: 'settled', state, ...findings.all }
}

function call(
  { typeName, step, providerMeta }: ApplyInput,
  { priorState, config }: PlanResourceChangeRequest,
  { after, plannedPrivate, afterIdentity, afterSensitive }: PlannedChange,
  findings: FindingsOf,
): FinalCall {
  return {
    kind: 'call',
    step,
    request: {
      typeName,
      priorState,
      plannedState: after,
      config,
      plannedPrivate,
      ...(afterIdentity !== undefined && { plannedIdentity: afterIdentity }),
      ...(providerMeta !== undefined && { providerMeta }),
    },
    afterSensitive,
    ...findings.all,
  }
}

import type { CallOptions } from '@hykube/tfplugin/grpc'
import type {
  ApplyResourceChangeRequest,
  PlanResourceChangeRequest,
  PlanResourceChangeResponse,
} from '@hykube/tfplugin/protocol'
import { impliedType } from '@hykube/tfplugin/schema'
import { isUnknown, isWhollyKnown, type Path, pathToText, type Value, walkValue } from '@hykube/tfplugin/value'
import { defaultLifecycle, type InstanceState, type Lifecycle } from '../../model/index.ts'
import { isApprovedAction } from '../action.ts'
import { assertObjectCompatible } from '../compatibility.ts'
import { invalidAnswer } from '../invalid-answer.ts'
import { sameValues } from '../same-values.ts'
import { type Failure, type Findings, FindingsOf } from './findings.ts'
import type { ProviderPort, ResourceInstance } from './instance.ts'
import { judgePlan, judgeValidation } from './judge-plan.ts'
import { type PlanInput, planRequestFor, validationRequestFor } from './plan-request.ts'
import type { PlannedChange } from './planned-instance.ts'

/** One step of an approved change. A replacement has two steps, which are applied separately. */
export interface ApplyInput extends ResourceInstance {
  readonly approved: PlannedChange
  readonly step: ApplyStep
  /** The stored state; absent to create, also for the creating step of a replacement. */
  readonly prior?: InstanceState
  /** The configuration without unknown values; null to delete. */
  readonly config: Value
  readonly configSensitive: readonly Path[]
  readonly lifecycle: Pick<Lifecycle, 'ignoreChanges'>
  /** True when the same provider package has validated the same configuration. */
  readonly isValidated?: boolean
  /** True when the plan request would equal the approved plan's and the provider plans deterministically, so the call can be skipped. */
  readonly isPlanned?: boolean
}

export type ApplyStep = 'create' | 'update' | 'delete'

/** The result of planning a step with all values known. */
export type FinalPlan = FinalCall | Settled | Failure

/** The exact request that the provider will be sent. The journal keeps it, to repeat the call or to find out its outcome. */
export interface FinalCall extends Findings {
  readonly kind: 'call'
  readonly step: ApplyStep
  readonly request: ApplyResourceChangeRequest
  /** Paths that will be sensitive in the result because of the source of their value. */
  readonly afterSensitive: readonly Path[]
}

/** No apply call is needed: nothing changes, or only which parts are sensitive. */
export interface Settled extends Findings {
  readonly kind: 'settled'
  readonly state?: InstanceState
}

/**
 * Plans a step again with all values known and checks that the result matches the approved change, as Terraform does. A deletion needs
 * no second plan. Rejects when the provider could not be called.
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
    return invalidAnswer(input, error, inconsistent)
  }
}

/** Builds the PlanResourceChange request, or returns the final plan when no call is needed. */
export function finalPlanRequestFor(
  input: ApplyInput,
): { readonly kind: 'ask'; readonly request: PlanResourceChangeRequest } | FinalPlan {
  if (input.step === 'delete') return deletion(input)
  if (!isWhollyKnown(input.config)) return stillUnknown(input)
  return { kind: 'ask', request: planRequestFor(planInputOf(input)) }
}

/** Checks the provider's answer against the approved change. */
export function judgeFinalPlan(
  input: ApplyInput,
  request: PlanResourceChangeRequest,
  response: PlanResourceChangeResponse,
): FinalPlan {
  const verdict = judgePlan(planInputOf(input), request, response)
  if (verdict.kind === 'failed') return verdict
  const findings = new FindingsOf(input, () => [[input.config, input.configSensitive]])
  findings.take(verdict)
  if (verdict.kind !== 'planned' || !isApprovedAction(input.approved.action, verdict.action)) {
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

// Uses the approved plan unchanged; its answer was checked against the same request when the plan was made.
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
  // prevent_destroy was checked when the plan was made, so only ignore_changes counts here.
  const checked = { ...defaultLifecycle, ignoreChanges: lifecycle.ignoreChanges }
  return { ...instance, lifecycle: checked, ...(step === 'update' && prior !== undefined && { prior }) }
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
  const detail = `The configuration of ${input.address} holds values that are still unknown at apply time: ${paths.join(', ')}.`
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

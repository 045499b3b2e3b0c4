import type { ApplyResourceChangeResponse } from '@hykube/tfplugin/protocol'
import { impliedType } from '@hykube/tfplugin/schema'
import {
  emptyObject,
  isUnknown,
  isWhollyKnown,
  pathToText,
  Typed,
  transformValue,
  type Value,
  walkValue,
} from '@hykube/tfplugin/value'
import type { InstanceState } from '../../model/index.ts'
import { assertObjectCompatible } from '../compatibility.ts'
import { withRepeatedSecrets } from '../secrets/repeated-secrets.ts'
import { writeOnlyLeaks } from '../secrets/write-only.ts'
import type { ApplyAnswer } from './apply-call.ts'
import type { ApplyInput, FinalCall } from './final-plan.ts'
import { type Confidential, type Findings, FindingsOf } from './findings.ts'

/** The outcome of a step, and the state to store. */
export interface Outcome extends Findings {
  readonly kind: 'applied' | 'failed'
  /** The state to store, also after a failure; absent when the resource doesn't exist. */
  readonly state?: InstanceState
  /** True when the provider may have changed something that the state doesn't show. */
  readonly unclear: boolean
}

/**
 * Checks a provider's answer to an apply call. After an error the returned state is stored if there is one, otherwise the prior state; a
 * resource whose creation failed is tainted. Unknown values in the answer are errors and stored as null.
 */
export function judgeOutcome(input: ApplyInput, plan: FinalCall, answer: ApplyAnswer): Outcome {
  const findings = new FindingsOf(input, () => [
    [input.config, input.configSensitive],
    [input.prior?.value, input.prior?.sensitivePaths ?? []],
    [answer.kind === 'answered' ? answer.response.newState : undefined, plan.afterSensitive],
  ])
  findings.take(plan)
  const prior = plan.step === 'create' ? undefined : input.prior
  if (answer.kind === 'unreadable') {
    findings.bug(invalidObject, `gave an answer that does not fit its schema: ${answer.reason}`)
    return { kind: 'failed', unclear: true, ...keep(prior), ...findings.all }
  }
  const { response } = answer
  findings.add(response.diagnostics)
  const value = knownValue(input, newValue(plan, response, findings), findings)
  if (!findings.hasErrors) checkResult(input, plan, value, response.legacyTypeSystem, findings)
  const failed = findings.hasErrors
  if (value === null)
    return {
      kind: failed ? 'failed' : 'applied',
      unclear: false,
      ...keep(failed ? prior : undefined),
      ...findings.all,
    }
  const state = stateOf(input, plan, response, value, failed)
  return { kind: failed ? 'failed' : 'applied', unclear: false, state, ...findings.all }
}

const invalidObject = 'Provider produced invalid object'
const invalidResult = 'Provider returned invalid result object after apply'

function keep(state: InstanceState | undefined): { readonly state?: InstanceState } {
  return state === undefined ? {} : { state }
}

// A provider that returns no state most likely changed nothing, or deleted the resource.
function newValue(
  { step, request }: FinalCall,
  { newState }: ApplyResourceChangeResponse,
  findings: FindingsOf,
): Value {
  if (newState !== undefined) return newState
  if (!findings.hasErrors) findings.bug(invalidObject, 'returned nothing after the change')
  return step === 'delete' ? null : request.priorState
}

/** Removes what must not be stored: unknown values and values of write-only attributes. */
function knownValue(input: ApplyInput, value: Value, findings: FindingsOf): Value {
  const type = impliedType(input.schema.block)
  const leaks = writeOnlyLeaks(input.schema, value)
  for (const path of leaks)
    findings.bug(invalidObject, `returned a value for the write-only attribute ${pathToText(path)}`, path)
  const clean = leaks.reduce((rest, path) => withNull(rest, path), value)
  if (isWhollyKnown(clean)) return clean
  walkValue(clean, type, (part, path) => {
    if (isUnknown(part))
      findings.bug(invalidResult, `left ${pathToText(path)} unknown after the change; it is kept as null`, path)
  })
  return transformValue(clean, type, (part) => (isUnknown(part) ? null : part))
}

function withNull(value: Value, path: Parameters<typeof pathToText>[0]): Value {
  const [step, ...rest] = path
  if (step === undefined) return null
  if (value instanceof Typed) return new Typed(value.type, withNull(value.value, path) as Exclude<Value, Typed>)
  if (Array.isArray(value) && step.kind === 'index') {
    return (value as readonly Value[]).with(step.index, withNull((value as readonly Value[])[step.index]!, rest))
  }
  const name = step.kind === 'attribute' ? step.name : step.kind === 'key' ? step.key : String(step.index)
  const object = Object.assign(emptyObject(), value as object)
  object[name] = withNull(object[name] ?? null, rest)
  return object
}

function checkResult(
  input: ApplyInput,
  { step, request, afterSensitive }: FinalCall,
  value: Value,
  legacy: boolean,
  findings: FindingsOf,
): void {
  if (step !== 'delete') {
    const problems = assertObjectCompatible(input.schema, request.plannedState, value, afterSensitive)
    findings.bugs('Provider produced inconsistent result after apply', 'returned an unexpected value', problems, legacy)
  }
  if (findings.hasErrors) return
  if (step === 'delete' && value !== null)
    findings.bug(invalidResult, 'returned an object after it was destroyed; the object is kept')
  if (step !== 'delete' && value === null)
    findings.bug(invalidResult, 'returned no object although none was to be destroyed')
}

function stateOf(
  input: ApplyInput,
  { step, request, afterSensitive }: FinalCall,
  { private: bytes, newIdentity }: ApplyResourceChangeResponse,
  value: Value,
  failed: boolean,
): InstanceState {
  const { prior, schema, identitySchema, config, configSensitive } = input
  const given: Confidential = [
    [config, configSensitive],
    [prior?.value, prior?.sensitivePaths ?? []],
  ]
  const identity = [newIdentity, request.plannedIdentity, prior?.identity].find(
    (its) => its !== undefined && its !== null && isWhollyKnown(its),
  )
  const status = !failed ? 'ready' : step === 'create' ? 'tainted' : (prior?.status ?? 'ready')
  return {
    value,
    private: bytes,
    schemaVersion: schema.version,
    status,
    sensitivePaths: withRepeatedSecrets(input, { value, sensitive: afterSensitive, given, shown: config }),
    ...(identity !== undefined && { identity }),
    ...(identity !== undefined && identitySchema !== undefined && { identitySchemaVersion: identitySchema.version }),
  }
}

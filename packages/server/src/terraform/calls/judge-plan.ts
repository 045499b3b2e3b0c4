// Checks a provider's answer to PlanResourceChange and chooses the action, with the same rules as Terraform.

import type { Diagnosed, PlanResourceChangeRequest, PlanResourceChangeResponse } from '@hykube/tfplugin/protocol'
import { type Path, pathToText, type Value } from '@hykube/tfplugin/value'
import type { Action, ActionReason, Replacement } from '../action.ts'
import { destroysObject, isReplacement } from '../action.ts'
import { ignoreSensitivity, revertIgnored } from '../ignore-changes.ts'
import { assertPlanValid } from '../plan-validity.ts'
import { requiredReplace } from '../required-replace.ts'
import { sameValues } from '../same-values.ts'
import { withRepeatedSecrets } from '../secrets/repeated-secrets.ts'
import { sameSensitivity } from '../secrets/same-sensitivity.ts'
import { writeOnlyLeaks } from '../secrets/write-only.ts'
import { type Confidential, type Failure, type Findings, FindingsOf } from './findings.ts'
import type { ResourceInstance } from './instance.ts'
import { preventedSummary } from './plan-destroy.ts'
import { type PlanInput, replacementRequestFor } from './plan-request.ts'
import { noPrivate, type PlannedChange, type PlannedInstance, type ReplacementToPlan } from './planned-instance.ts'

/** Checks a provider's answer to a validation. Warnings become part of the plan. */
export function judgeValidation(
  input: ResourceInstance & Pick<PlanInput, 'config' | 'configSensitive'>,
  { diagnostics }: Diagnosed,
): Failure | Warnings {
  const findings = new FindingsOf(input, () => [[input.config, input.configSensitive]])
  findings.add(diagnostics)
  return findings.hasErrors ? findings.failure() : { kind: 'valid', ...findings.all }
}

/** The warnings of a valid configuration. */
export interface Warnings extends Findings {
  readonly kind: 'valid'
}

/**
 * Checks a provider's answer against its request and chooses the action. A replacement needs one more call, which plans the new
 * resource; judgeReplacement checks its answer.
 */
export function judgePlan(
  input: PlanInput,
  { priorState: prior, config }: PlanResourceChangeRequest,
  response: PlanResourceChangeResponse,
): PlannedInstance | ReplacementToPlan {
  const findings = new FindingsOf(input, () => confidential(input, response))
  const planned = readPlan(input, response, findings)
  if (planned === undefined) return findings.failure()
  if (response.deferred !== undefined) return deferred(input, response, planned, findings)
  const problems = assertPlanValid(input.schema, { prior, config, planned }, input.configSensitive)
  findings.bugs(invalidPlan, 'planned an invalid value', problems, response.legacyTypeSystem)
  const after = response.legacyTypeSystem
    ? revertIgnored(prior, planned, input.lifecycle.ignoreChanges, input.schema)
    : planned
  const replace = requiredReplace(input.schema, response.requiresReplace, prior, after)
  for (const path of replace.nowhere) {
    findings.bug(invalidPlan, `requires replacement because of ${pathToText(path)}, which does not exist`)
  }
  if (findings.hasErrors) return findings.failure()

  if (prior === null) return concluded(input, response, after, creation(input), findings)
  const same = sameValues(after, prior)
  const reason = replaceReason(input, replace.paths.length > 0 && (!same || replace.writeOnly))
  if (reason !== undefined) {
    const { paths } = replace
    const request = replacementRequestFor(input, response.plannedPrivate)
    return { kind: 'replacement', request, requiredReplace: paths, reason, ...findings.all }
  }
  const action =
    same && sameSensitivity(input.schema, prior, input.prior!.sensitivePaths, after, sensitiveAfter(input, after))
      ? 'noop'
      : 'update'
  return concluded(input, response, after, { action }, findings)
}

/** Checks the answer about the new resource of a replacement. */
export function judgeReplacement(
  input: PlanInput,
  first: ReplacementToPlan,
  response: PlanResourceChangeResponse,
): PlannedInstance {
  const findings = new FindingsOf(input, () => confidential(input, response))
  findings.take(first)
  const { requiredReplace, reason } = first
  // Its warnings repeat those of the first answer.
  const errors = response.diagnostics.filter(({ severity }) => severity === 'error')
  const planned = readPlan(input, { ...response, diagnostics: errors }, findings)
  if (planned === undefined || findings.hasErrors) return findings.failure()
  if (response.deferred !== undefined) return deferred(input, response, planned, findings)
  return concluded(input, response, planned, { action: replacementOf(input), reason, requiredReplace }, findings)
}

const invalidPlan = 'Provider produced invalid plan'

function confidential(
  { prior, config, configSensitive }: PlanInput,
  response: PlanResourceChangeResponse,
): Confidential {
  return [
    [config, configSensitive],
    [prior?.value, prior?.sensitivePaths ?? []],
    [response.plannedState, configSensitive],
  ]
}

interface Conclusion {
  readonly action: Action
  readonly reason?: ActionReason
  readonly requiredReplace?: PlannedChange['requiredReplace']
}

function readPlan(input: PlanInput, response: PlanResourceChangeResponse, findings: FindingsOf): Value | undefined {
  findings.add(response.diagnostics)
  if (findings.hasErrors) return undefined
  const { plannedState: planned } = response
  if (planned === undefined || planned === null)
    findings.bug(invalidPlan, 'planned no object although the configuration has one')
  else {
    for (const path of writeOnlyLeaks(input.schema, planned)) {
      findings.bug(invalidPlan, `planned a value for the write-only attribute ${pathToText(path)}`, path)
    }
  }
  return findings.hasErrors ? undefined : planned
}

function deferred(
  input: PlanInput,
  { deferred }: PlanResourceChangeResponse,
  after: Value,
  findings: FindingsOf,
): PlannedInstance {
  if (input.deferralAllowed === true)
    return { kind: 'deferred', reason: deferred!, before: input.prior?.value ?? null, after, ...findings.all }
  findings.bug('Provider deferred changes', 'deferred the change although the client does not support deferral')
  return findings.failure()
}

// A tainted resource is planned like a creation but does exist, so it is a replacement. Like Terraform, reports triggers as the reason
// even when nothing exists that could be replaced.
function creation(input: PlanInput): Conclusion {
  const triggered = input.forceReplace === 'triggers' ? ('replace_by_triggers' as const) : undefined
  if (input.prior?.status === 'tainted')
    return { action: replacementOf(input), reason: triggered ?? 'replace_because_tainted' }
  return { action: 'create', ...(triggered !== undefined && { reason: triggered }) }
}

function replaceReason({ forceReplace }: PlanInput, cannotUpdate: boolean): ActionReason | undefined {
  if (forceReplace !== undefined) return forceReplace === 'request' ? 'replace_by_request' : 'replace_by_triggers'
  return cannotUpdate ? 'replace_because_cannot_update' : undefined
}

function replacementOf({ lifecycle }: PlanInput): Replacement {
  if (!lifecycle.destroy) return 'forget-then-create'
  return lifecycle.createBeforeDestroy ? 'create-then-delete' : 'delete-then-create'
}

function concluded(
  input: PlanInput,
  response: PlanResourceChangeResponse,
  after: Value,
  { action, reason, requiredReplace = [] }: Conclusion,
  findings: FindingsOf,
): PlannedInstance {
  const { prior, lifecycle } = input
  if (lifecycle.preventDestroy && destroysObject(action)) {
    findings.error(preventedSummary, preventedText(input, action))
    return findings.failure()
  }
  return {
    kind: 'planned',
    action,
    before: prior?.value ?? null,
    after,
    plannedPrivate: response.plannedPrivate ?? noPrivate,
    requiredReplace,
    beforeSensitive: prior?.sensitivePaths ?? [],
    afterSensitive: sensitiveAfter(input, after, isReplacement(action)),
    ...(reason !== undefined && { reason }),
    ...(prior?.identity !== undefined && { beforeIdentity: prior.identity }),
    ...(response.plannedIdentity !== undefined && { afterIdentity: response.plannedIdentity }),
    ...(input.importing !== undefined && { importing: input.importing }),
    ...(response.legacyTypeSystem && { legacy: true }),
    ...findings.all,
  }
}

// Sensitive paths of the configuration, and of planned values that repeat a secret which the provider received.
function sensitiveAfter(input: PlanInput, value: Value, isNew = false): readonly Path[] {
  const { prior, config, configSensitive, lifecycle } = input
  const before = prior?.sensitivePaths ?? []
  const isKept = prior !== undefined && !isNew
  const sensitive = isKept ? ignoreSensitivity(before, configSensitive, lifecycle.ignoreChanges) : configSensitive
  const given: Confidential = [
    [config, configSensitive],
    [prior?.value, before],
  ]
  return withRepeatedSecrets(input, { value, sensitive, given, shown: config })
}

function preventedText({ address }: PlanInput, action: Action): string {
  const what = isReplacement(action) ? 'replacing it would destroy it' : 'the plan destroys it'
  return `${address} has lifecycle.prevent_destroy set, and ${what}. Remove prevent_destroy or leave the instance out of the plan.`
}

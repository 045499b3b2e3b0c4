import type { JsonObject } from '@hykube/machinery/json'
import { jsonEquals } from '@hykube/machinery/json'
import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '@hykube/machinery/object'
import { type LabelSelectorObject, labelSelectorFromObject, selectsLabels } from '@hykube/machinery/selector'
import type { StatusCause } from '@hykube/machinery/status'
import { has, inside, items } from '../draft.ts'
import { notNegative, oneOf, textOf, unchanged } from './checks.ts'
import { validatePodSpec } from './pod-validation.ts'

/** Checks a workload with a selector, which must match the template and is immutable. */
export function validateSelectingWorkload(object: JsonObject, old: JsonObject | undefined): StatusCause[] {
  const spec = inside(object, 'spec')
  const causes = [...notNegative('spec.replicas', spec.replicas), ...selectorProblems(spec, String(object.kind))]
  causes.push(...validatePodSpec(inside(spec, 'template', 'spec'), 'spec.template.spec'))
  causes.push(...restartProblems(spec, ['Always']))
  const strategy = object.kind === 'Deployment' ? 'strategy' : 'updateStrategy'
  const types = object.kind === 'Deployment' ? ['Recreate', 'RollingUpdate'] : ['RollingUpdate', 'OnDelete']
  if (has(spec, strategy)) causes.push(...oneOf(`spec.${strategy}.type`, inside(spec, strategy).type, types))
  return old === undefined
    ? causes
    : [...causes, ...unchanged('spec.selector', spec.selector, inside(old, 'spec').selector)]
}

const statefulChangeable =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"

/** Checks a StatefulSet, most of whose spec is immutable. */
export function validateStatefulSet(object: JsonObject, old: JsonObject | undefined): StatusCause[] {
  const spec = inside(object, 'spec')
  const causes = [...notNegative('spec.replicas', spec.replicas), ...selectorProblems(spec, String(object.kind))]
  causes.push(...validatePodSpec(inside(spec, 'template', 'spec'), 'spec.template.spec'))
  causes.push(...restartProblems(spec, ['Always']))
  if (old !== undefined && !jsonEquals(fixedPart(spec), fixedPart(inside(old, 'spec')))) {
    causes.push(forbiddenValue('spec', statefulChangeable))
  }
  return causes
}

/** Checks a Job, whose template and selector are immutable. */
export function validateJob(object: JsonObject, old: JsonObject | undefined): StatusCause[] {
  const spec = inside(object, 'spec')
  const causes = jobProblems(spec, 'spec')
  if (old === undefined) return causes
  const before = inside(old, 'spec')
  causes.push(...unchanged('spec.selector', spec.selector, before.selector))
  if (before.suspend !== true) causes.push(...unchanged('spec.template', spec.template, before.template))
  causes.push(...unchanged('spec.completionMode', spec.completionMode, before.completionMode))
  if (spec.completionMode !== 'Indexed') {
    causes.push(...unchanged('spec.completions', spec.completions, before.completions))
  }
  return causes
}

/** Checks schedule, concurrency policy and job template of a CronJob. */
export function validateCronJob(object: JsonObject): StatusCause[] {
  const spec = inside(object, 'spec')
  const schedule = textOf(spec, 'schedule')
  const causes = schedule === '' ? [requiredValue('spec.schedule')] : scheduleProblems(schedule)
  causes.push(...oneOf('spec.concurrencyPolicy', spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']))
  return [...causes, ...jobProblems(inside(spec, 'jobTemplate', 'spec'), 'spec.jobTemplate.spec')]
}

/** Checks the bounds of a HorizontalPodAutoscaler. */
export function validateAutoscaler(object: JsonObject): StatusCause[] {
  const spec = inside(object, 'spec')
  const maximum = Number(spec.maxReplicas ?? 0)
  const minimum = Number(spec.minReplicas ?? 1)
  const causes: StatusCause[] = []
  if (minimum < 1) causes.push(invalidValue('spec.minReplicas', minimum, 'must be greater than or equal to 1'))
  if (maximum < 1) causes.push(invalidValue('spec.maxReplicas', maximum, 'must be greater than 0'))
  if (maximum < minimum) {
    causes.push(invalidValue('spec.maxReplicas', maximum, 'must be greater than or equal to `minReplicas`'))
  }
  for (const field of ['kind', 'name']) {
    if (textOf(inside(spec, 'scaleTargetRef'), field) === '') causes.push(requiredValue(`spec.scaleTargetRef.${field}`))
  }
  return causes
}

/** Rejects a budget with both minAvailable and maxUnavailable. */
export function validateDisruptionBudget(object: JsonObject): StatusCause[] {
  const spec = inside(object, 'spec')
  if (!has(spec, 'minAvailable') || !has(spec, 'maxUnavailable')) return []
  return [invalidValue('spec', spec, 'minAvailable and maxUnavailable cannot be both set')]
}

function jobProblems(spec: JsonObject, field: string): StatusCause[] {
  const causes = [
    'parallelism',
    'completions',
    'backoffLimit',
    'activeDeadlineSeconds',
    'ttlSecondsAfterFinished',
  ].flatMap((name) => notNegative(`${field}.${name}`, spec[name]))
  causes.push(...validatePodSpec(inside(spec, 'template', 'spec'), `${field}.template.spec`))
  const policy = inside(spec, 'template', 'spec').restartPolicy
  if (policy === 'Always') {
    const place = `${field}.template.spec.restartPolicy`
    causes.push({ ...requiredValue(place, 'valid values: "OnFailure", "Never"') })
  }
  return causes
}

function selectorProblems(spec: JsonObject, kind: string): StatusCause[] {
  const selector = spec.selector as LabelSelectorObject | null | undefined
  if (selector === undefined || selector === null) return [requiredValue('spec.selector')]
  const isEmpty = Object.keys(selector).length === 0
  // Kubernetes' message says deployment for a ReplicaSet too.
  const named = kind === 'ReplicaSet' ? 'deployment' : kind.toLowerCase()
  if (isEmpty) return [invalidValue('spec.selector', selector, `empty selector is invalid for ${named}`)]
  const labels = inside(spec, 'template', 'metadata', 'labels') as Record<string, string>
  try {
    if (selectsLabels(labelSelectorFromObject(selector), labels)) return []
  } catch (error) {
    return [invalidValue('spec.selector', selector, (error as Error).message)]
  }
  return [invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')]
}

function restartProblems(spec: JsonObject, supported: readonly string[]): StatusCause[] {
  const policy = inside(spec, 'template', 'spec').restartPolicy
  if (policy === undefined || supported.includes(policy as string)) return []
  return [unsupportedValue('spec.template.spec.restartPolicy', policy, supported)]
}

function fixedPart(spec: JsonObject): JsonObject {
  const { replicas, ordinals, template, updateStrategy, revisionHistoryLimit, minReadySeconds, ...rest } = spec
  const { persistentVolumeClaimRetentionPolicy, ...fixed } = rest
  return { ...fixed, volumeClaimTemplates: items(fixed, 'volumeClaimTemplates').map(({ status, ...claim }) => claim) }
}

// Five fields or an @ shortcut; each field is a list of *, numbers, names, ranges and steps.
const cronField = /^(\*|\?|[0-9A-Za-z]+(-[0-9A-Za-z]+)?)(\/\d+)?(,(\*|[0-9A-Za-z]+(-[0-9A-Za-z]+)?)(\/\d+)?)*$/

function scheduleProblems(schedule: string): StatusCause[] {
  if (/^@(yearly|annually|monthly|weekly|daily|midnight|hourly|every .+)$/.test(schedule)) return []
  const fields = schedule.trim().split(/\s+/)
  if (fields.length !== 5) {
    return [
      invalidValue(
        'spec.schedule',
        schedule,
        `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`,
      ),
    ]
  }
  const bad = fields.find((field) => !cronField.test(field))
  return bad === undefined ? [] : [invalidValue('spec.schedule', schedule, `failed to parse int from ${bad}`)]
}

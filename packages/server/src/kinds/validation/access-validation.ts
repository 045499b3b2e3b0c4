import type { JsonObject } from '@hykube/machinery/json'
import { duplicateValue, invalidValue, requiredValue, unsupportedValue } from '@hykube/machinery/object'
import type { StatusCause } from '@hykube/machinery/status'
import { has, inside, items } from '../draft.ts'
import { oneOf, present, textOf, unchanged } from './checks.ts'

const rbac = 'rbac.authorization.k8s.io'

/** Checks the rules of a Role or ClusterRole. */
export function validateRole(object: JsonObject): StatusCause[] {
  const namespaced = object.kind === 'Role'
  return items(object, 'rules').flatMap((rule, index) => ruleProblems(rule, `rules[${index}]`, namespaced))
}

/** Checks a binding, whose roleRef is immutable. */
export function validateBinding(object: JsonObject, old: JsonObject | undefined): StatusCause[] {
  const role = inside(object, 'roleRef')
  const kinds = object.kind === 'RoleBinding' ? ['Role', 'ClusterRole'] : ['ClusterRole']
  const causes =
    textOf(role, 'apiGroup') === rbac ? [] : [unsupportedValue('roleRef.apiGroup', role.apiGroup ?? '', [rbac])]
  causes.push(...oneOf('roleRef.kind', role.kind ?? '', kinds), ...present('roleRef.name', role.name))
  items(object, 'subjects').forEach((subject, index) => {
    causes.push(...subjectProblems(subject, `subjects[${index}]`))
  })
  if (old === undefined) return causes
  return [...causes, ...unchanged('roleRef', object.roleRef, old.roleRef).map(cannotChangeRole)]
}

/** Checks the names, client configuration, side effects and review versions of webhooks. */
export function validateWebhooks(object: JsonObject): StatusCause[] {
  const names = new Set<string>()
  return items(object, 'webhooks').flatMap((webhook, index) => {
    const field = `webhooks[${index}]`
    const name = textOf(webhook, 'name')
    const causes = present(`${field}.name`, name)
    if (names.has(name)) causes.push(duplicateValue(`${field}.name`, name))
    names.add(name)
    if (name !== '' && name.split('.').length < 3) {
      causes.push(
        invalidValue(`${field}.name`, name, 'should be a domain with at least three segments separated by dots'),
      )
    }
    return [...causes, ...webhookProblems(webhook, field)]
  })
}

function ruleProblems(rule: JsonObject, field: string, namespaced: boolean): StatusCause[] {
  const list = (name: string): readonly unknown[] => (Array.isArray(rule[name]) ? (rule[name] as unknown[]) : [])
  const causes =
    list('verbs').length === 0 ? [requiredValue(`${field}.verbs`, 'verbs must contain at least one value')] : []
  const urls = list('nonResourceURLs')
  if (urls.length > 0) {
    const detail = 'namespaced rules cannot apply to non-resource URLs'
    if (namespaced) causes.push(invalidValue(`${field}.nonResourceURLs`, urls, detail))
    const mixed = ['apiGroups', 'resources', 'resourceNames'].some((name) => list(name).length > 0)
    const both = 'rules cannot apply to both regular resources and non-resource URLs'
    if (mixed) causes.push(invalidValue(`${field}.nonResourceURLs`, urls, both))
    return causes
  }
  if (list('apiGroups').length === 0) {
    causes.push(requiredValue(`${field}.apiGroups`, 'resource rules must supply at least one api group'))
  }
  if (list('resources').length === 0) {
    causes.push(requiredValue(`${field}.resources`, 'resource rules must supply at least one resource'))
  }
  return causes
}

function subjectProblems(subject: JsonObject, field: string): StatusCause[] {
  const causes = present(`${field}.name`, subject.name)
  const { kind, apiGroup = '' } = subject
  if (kind === 'ServiceAccount') {
    if (apiGroup !== '') causes.push(unsupportedValue(`${field}.apiGroup`, apiGroup, ['']))
    causes.push(...present(`${field}.namespace`, subject.namespace))
  } else if (kind === 'User' || kind === 'Group') {
    if (apiGroup !== rbac) causes.push(unsupportedValue(`${field}.apiGroup`, apiGroup, [rbac]))
  } else causes.push(unsupportedValue(`${field}.kind`, kind ?? '', ['ServiceAccount', 'User', 'Group']))
  return causes
}

function cannotChangeRole(cause: StatusCause): StatusCause {
  return { ...cause, message: (cause.message ?? '').replace('field is immutable', 'cannot change roleRef') }
}

function webhookProblems(webhook: JsonObject, field: string): StatusCause[] {
  const client = inside(webhook, 'clientConfig')
  const causes =
    has(client, 'url') === has(client, 'service')
      ? [requiredValue(`${field}.clientConfig`, 'exactly one of url or service is required')]
      : []
  const effects = webhook.sideEffects
  if (effects === undefined)
    causes.push(requiredValue(`${field}.sideEffects`, 'must specify one of None, NoneOnDryRun'))
  else causes.push(...oneOf(`${field}.sideEffects`, effects, ['None', 'NoneOnDryRun']))
  const versions = webhook.admissionReviewVersions
  if (!Array.isArray(versions) || versions.length === 0) {
    causes.push(requiredValue(`${field}.admissionReviewVersions`, 'must specify one of v1, v1beta1'))
  }
  const timeout = webhook.timeoutSeconds
  if (typeof timeout === 'number' && (timeout < 1 || timeout > 30)) {
    causes.push(invalidValue(`${field}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds'))
  }
  return causes
}

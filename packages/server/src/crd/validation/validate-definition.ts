import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import {
  dns1035LabelProblems,
  dns1123SubdomainProblems,
  forbiddenValue,
  invalidValue,
  requiredValue,
  unsupportedValue,
} from '@hykube/machinery/object'
import type { StatusCause } from '@hykube/machinery/status'
import { validateApiApproval } from '../api-approval.ts'
import { type Definition, type DefinitionSpec, isConditionTrue } from '../definition.ts'
import { validateNames } from './names-validation.ts'
import { sizeProblems } from './schema-size.ts'
import { ownPaths, sharedParts, sharedPaths } from './shared-parts.ts'
import { validateVersion } from './version-validation.ts'

/** Returns the validation errors of a definition with Kubernetes' messages. `old` is set on updates. */
export function validateDefinition(definition: Definition, old: Definition | undefined): StatusCause[] {
  // A status update does not validate a spec again that was accepted before, possibly by an older server.
  const isSameSpec =
    old !== undefined && jsonEquals(definition.spec as unknown as JsonValue, old.spec as unknown as JsonValue)
  const tooLarge = isSameSpec ? [] : sizeProblems(definition.spec)
  if (tooLarge.length > 0) return tooLarge
  return [
    ...(old === undefined ? nameProblems(definition) : []),
    ...(isSameSpec ? [] : specProblems(definition.spec, old?.spec)),
    ...(old === undefined ? [] : changeProblems(definition.spec, old)),
    ...storedVersionProblems(definition),
    ...validateApiApproval(definition, old),
  ]
}

function nameProblems({ metadata, spec }: Definition): StatusCause[] {
  const name = metadata?.name ?? ''
  if (name === `${spec.names?.plural ?? ''}.${spec.group ?? ''}`) return []
  return [invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]
}

function specProblems(spec: DefinitionSpec, old: DefinitionSpec | undefined): StatusCause[] {
  const { names = {}, scope = '', preserveUnknownFields } = spec
  const versions = spec.versions ?? []
  const causes = groupProblems(spec.group ?? '')
  if (scope === '') causes.push(requiredValue('spec.scope'))
  else if (scope !== 'Cluster' && scope !== 'Namespaced') {
    causes.push(unsupportedValue('spec.scope', scope, ['Cluster', 'Namespaced']))
  }
  for (const [index, version] of versions.entries()) {
    if (version.schema?.openAPIV3Schema === undefined) {
      causes.push(requiredValue(`spec.versions[${index}].schema.openAPIV3Schema`))
    }
  }
  const shared = sharedParts(versions)
  const oldOf = (name: string) => old?.versions?.find((version) => version.name === name)
  for (const [index, version] of versions.entries()) {
    const problems = dns1035LabelProblems(version.name ?? '')
    if (problems.length > 0) {
      causes.push(invalidValue(`spec.versions[${index}].name`, version.name ?? '', problems.join(',')))
    }
    const context = { hasStatus: version.subresources?.status !== undefined, old: oldOf(version.name) }
    causes.push(...validateVersion(version, ownPaths(`spec.versions[${index}]`, shared), context))
  }
  causes.push(...versionSetProblems(versions), ...validateNames(names, 'spec.names'))
  const [first] = versions
  if (first !== undefined) {
    const hasStatus = versions.some(({ subresources }) => subresources?.status !== undefined)
    causes.push(...validateVersion(first, sharedPaths(shared), { hasStatus, old: oldOf(first.name) }))
  }
  causes.push(...conversionProblems(spec))
  if (preserveUnknownFields === true) {
    const detail =
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
    causes.push(invalidValue('spec.preserveUnknownFields', true, detail))
  }
  return causes
}

function groupProblems(group: string): StatusCause[] {
  if (group === '') return [requiredValue('spec.group')]
  const problems = dns1123SubdomainProblems(group)
  if (problems.length > 0) return [invalidValue('spec.group', group, problems.join(','))]
  return group.includes('.') ? [] : [invalidValue('spec.group', group, 'should be a domain with at least one dot')]
}

function versionSetProblems(versions: DefinitionSpec['versions']): StatusCause[] {
  const causes: StatusCause[] = []
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    causes.push(invalidValue('spec.versions', versions, 'must contain unique version names'))
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    causes.push(invalidValue('spec.versions', versions, 'must have exactly one version marked as storage version'))
  }
  return causes
}

function conversionProblems({ conversion, versions = [] }: DefinitionSpec): StatusCause[] {
  const { strategy = '', webhook } = conversion ?? {}
  const field = 'spec.conversion'
  if (conversion === undefined) return []
  if (strategy === '') return [requiredValue(`${field}.strategy`)]
  if (strategy !== 'None' && strategy !== 'Webhook') {
    return [unsupportedValue(`${field}.strategy`, strategy, ['None', 'Webhook'])]
  }
  if (strategy === 'None') {
    return webhook === undefined || webhook === null
      ? []
      : [forbiddenValue(`${field}.webhookClientConfig`, 'should not be set when strategy is not set to Webhook')]
  }
  if (webhook === undefined || webhook === null) {
    return [requiredValue(`${field}.webhookClientConfig`, 'required when strategy is set to Webhook')]
  }
  // With one version nothing is converted, so the webhook would never be called.
  if (versions.length <= 1) return []
  const detail =
    'webhook conversion is not supported: use strategy None, which only rewrites apiVersion, or serve a single version'
  return [invalidValue(`${field}.strategy`, strategy, detail)]
}

function changeProblems(spec: DefinitionSpec, old: Definition): StatusCause[] {
  const before = old.spec
  const immutable = (field: string, now: JsonValue | undefined, then: JsonValue | undefined) =>
    now === then ? [] : [invalidValue(field, now ?? '', 'field is immutable')]
  return [
    ...(isConditionTrue(old, 'Established')
      ? [
          ...immutable('spec.scope', spec.scope, before.scope),
          ...immutable('spec.names.kind', spec.names?.kind, before.names.kind),
        ]
      : []),
    ...immutable('spec.group', spec.group, before.group),
    ...immutable('spec.names.plural', spec.names?.plural, before.names.plural),
  ]
}

function storedVersionProblems({ spec, status }: Definition): StatusCause[] {
  const stored = status?.storedVersions ?? []
  const field = 'status.storedVersions'
  if (stored.length === 0) return [invalidValue(field, stored, 'must have at least one stored version')]
  const versions = spec.versions ?? []
  const storage = versions.find((version) => version.storage)
  const causes: StatusCause[] = []
  if (storage !== undefined && !stored.includes(storage.name)) {
    causes.push(invalidValue(field, stored, `must have the storage version ${storage.name}`))
  }
  for (const [index, name] of stored.entries()) {
    if (versions.some((version) => version.name === name)) continue
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
    causes.push(invalidValue(`${field}[${index}]`, name, detail))
  }
  return causes
}

import type { StatusCause } from '../status/index.ts'
import { forbiddenValue, invalidValue, requiredValue, tooLong } from './field-error.ts'
import { validateFinalizers, validateNoNewFinalizers } from './finalizers.ts'
import { validateAnnotations, validateLabels } from './labels.ts'
import { dnsLabelName, type NameRule } from './names.ts'
import type { ManagedFieldsEntry, ObjectMeta } from './object-meta.ts'
import { validateOwnerReferences } from './owner-references.ts'

/** The requirements of a kind on the metadata of its objects. */
export interface ObjectMetaRules {
  readonly namespaced: boolean
  readonly name: NameRule
}

/** Validates the metadata of an object to be created, after its name was generated. */
export function validateObjectMeta(metadata: ObjectMeta, rules: ObjectMetaRules, field = 'metadata'): StatusCause[] {
  return [
    ...validateName(metadata, rules.name, field),
    ...validateNamespace(metadata.namespace ?? '', rules.namespaced, field),
    ...validateGeneration(metadata.generation ?? 0, field),
    ...validateCollections(metadata, field),
    ...validateFinalizers(metadata.finalizers ?? [], `${field}.finalizers`),
    ...validateManagedFields(metadata.managedFields ?? [], `${field}.managedFields`),
  ]
}

/** Validates the metadata of an update against the stored metadata. */
export function validateObjectMetaUpdate(now: ObjectMeta, before: ObjectMeta, field = 'metadata'): StatusCause[] {
  const causes: StatusCause[] = []
  if (before.deletionTimestamp) {
    causes.push(...validateNoNewFinalizers(now.finalizers ?? [], before.finalizers ?? [], `${field}.finalizers`))
  }
  if (!now.resourceVersion) {
    causes.push(invalidValue(`${field}.resourceVersion`, now.resourceVersion ?? '', 'must be specified for an update'))
  }
  if ((now.generation ?? 0) < (before.generation ?? 0)) {
    causes.push(invalidValue(`${field}.generation`, now.generation ?? 0, 'must not be decremented'))
  }
  for (const name of immutable) {
    const value = now[name] ?? null
    if (value !== (before[name] ?? null)) causes.push(invalidValue(`${field}.${name}`, value, 'field is immutable'))
  }
  causes.push(...validateCollections(now, field))
  causes.push(...validateManagedFields(now.managedFields ?? [], `${field}.managedFields`))
  return causes
}

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u

/** Validates the name of a field manager: at most 128 characters, all of them printable. */
export function validateFieldManager(manager: string, field: string): StatusCause[] {
  const causes = manager.length > 128 ? [tooLong(field, 128)] : []
  if (printable.test(manager)) return causes
  let position = 0
  for (const character of manager) {
    if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)) {
      const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
      causes.push(invalidValue(field, manager, `invalid character U+${code} (at position ${position})`))
    }
    position += new TextEncoder().encode(character).length
  }
  return causes
}

/** Validates the entries of `metadata.managedFields`, except for the field sets themselves. */
export function validateManagedFields(entries: readonly ManagedFieldsEntry[], field: string): StatusCause[] {
  return entries.flatMap((entry, index) => {
    const path = `${field}[${index}]`
    const causes: StatusCause[] = []
    if (entry.operation !== 'Apply' && entry.operation !== 'Update') {
      causes.push(invalidValue(`${path}.operation`, entry.operation ?? '', 'must be `Apply` or `Update`'))
    }
    if (entry.fieldsType && entry.fieldsType !== 'FieldsV1') {
      causes.push(invalidValue(`${path}.fieldsType`, entry.fieldsType, 'must be `FieldsV1`'))
    }
    causes.push(...validateFieldManager(entry.manager ?? '', `${path}.manager`))
    if ((entry.subresource ?? '').length > 256) causes.push(tooLong(`${path}.subresource`, 256))
    return causes
  })
}

const immutable = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const

function validateName({ name, generateName }: ObjectMeta, rule: NameRule, field: string): StatusCause[] {
  const causes: StatusCause[] = []
  if (generateName) {
    for (const problem of rule(generateName, 'prefix')) {
      causes.push(invalidValue(`${field}.generateName`, generateName, problem))
    }
  }
  if (!name) causes.push(requiredValue(`${field}.name`, 'name or generateName is required'))
  else for (const problem of rule(name)) causes.push(invalidValue(`${field}.name`, name, problem))
  return causes
}

function validateNamespace(namespace: string, namespaced: boolean, field: string): StatusCause[] {
  if (!namespaced) {
    return namespace === '' ? [] : [forbiddenValue(`${field}.namespace`, 'not allowed on this type')]
  }
  if (namespace === '') return [requiredValue(`${field}.namespace`)]
  return dnsLabelName(namespace).map((problem) => invalidValue(`${field}.namespace`, namespace, problem))
}

function validateGeneration(generation: number, field: string): StatusCause[] {
  if (generation >= 0) return []
  return [invalidValue(`${field}.generation`, generation, 'must be greater than or equal to 0')]
}

function validateCollections(metadata: ObjectMeta, field: string): StatusCause[] {
  return [
    ...validateLabels(metadata.labels ?? {}, `${field}.labels`),
    ...validateAnnotations(metadata.annotations ?? {}, `${field}.annotations`),
    ...validateOwnerReferences(metadata.ownerReferences ?? [], `${field}.ownerReferences`),
  ]
}

import type { StatusCause } from '../status/index.ts'
import { invalidValue } from './field-error.ts'
import { groupVersionFromText } from './group-version-kind.ts'
import type { ObjectMeta, OwnerReference } from './object-meta.ts'

/** Returns the managing owner of an object; undefined when there is none. */
export function controllerOf(metadata: ObjectMeta): OwnerReference | undefined {
  return metadata.ownerReferences?.find((reference) => reference.controller === true)
}

/** Drops repeated references to the same owner, keeping the first, and returns the uids that were repeated. */
export function uniqueOwnerReferences(references: readonly OwnerReference[]): {
  readonly references: readonly OwnerReference[]
  readonly duplicates: readonly string[]
} {
  const seen = new Set<string>()
  const duplicates: string[] = []
  const unique = references.filter(({ uid }) => {
    if (seen.has(uid)) {
      duplicates.push(uid)
      return false
    }
    seen.add(uid)
    return true
  })
  return duplicates.length === 0 ? { references, duplicates } : { references: unique, duplicates }
}

/** Checks that each reference is complete and that at most one of them is the controller. */
export function validateOwnerReferences(references: readonly OwnerReference[], field: string): StatusCause[] {
  const causes: StatusCause[] = []
  let controller: string | undefined
  let further = 0
  for (const reference of references) {
    causes.push(...validateOwnerReference(reference, field))
    if (reference.controller !== true) continue
    const name = `${reference.kind}/${reference.name}`
    if (controller === undefined) controller = name
    else if (further++ < mostFurtherControllers)
      causes.push(invalidValue(field, references, twoControllers(controller, name)))
  }
  return causes
}

// Each of these causes quotes the whole list: a list of thousands of controllers would take the square of its length.
const mostFurtherControllers = 3

function validateOwnerReference(reference: OwnerReference, field: string): StatusCause[] {
  const causes: StatusCause[] = []
  const { apiVersion, kind, name, uid } = reference
  const version = groupVersionFromText(apiVersion ?? '')?.version ?? ''
  if (version === '') causes.push(invalidValue(`${field}.apiVersion`, apiVersion ?? '', 'version must not be empty'))
  if (!kind) causes.push(invalidValue(`${field}.kind`, kind ?? '', 'must not be empty'))
  if (!name) causes.push(invalidValue(`${field}.name`, name ?? '', 'must not be empty'))
  if (!uid) causes.push(invalidValue(`${field}.uid`, uid ?? '', 'must not be empty'))
  if (apiVersion === 'v1' && kind === 'Event') {
    causes.push(invalidValue(field, reference, '/v1, Kind=Event is disallowed from being an owner'))
  }
  return causes
}

function twoControllers(first: string, second: string): string {
  return `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`
}

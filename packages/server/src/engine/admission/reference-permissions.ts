import { forbidden, type StatusCause } from '@hykube/machinery/status'
import { pathToText } from '@hykube/tfplugin/value'
import type { AdmissionRequest } from '../../admission/index.ts'
import { type Authorizer, resourceAttributes } from '../../auth/index.ts'
import type { SpecReference } from '../../expression/index.ts'
import {
  type KindCatalogue,
  type ReferenceTarget,
  type Referring,
  resolveReference,
  resolveReferences,
} from '../../plan/index.ts'

/** What must be known to tell whether somebody may refer to things. */
export interface ReferencePermissions {
  readonly authorizer: Authorizer
  readonly kinds: KindCatalogue
}

/**
 * Each reference that is added or changed needs the permission to read what it leads to: without it the write is refused.
 * Gives what is wrong with references besides. `within` is the field that the paths of references begin in.
 */
export function checkReferences(
  { authorizer, kinds }: ReferencePermissions,
  { user, cluster, type, name: own }: AdmissionRequest,
  referring: Referring,
  references: readonly SpecReference[],
  before: readonly SpecReference[],
  within: string,
): StatusCause[] {
  const known = textsOf(referring, before, kinds)
  return references.flatMap(({ reference, path }) => {
    const target = resolveReference(referring, reference, kinds)
    if (target === undefined) return []
    const field = `${within}.${pathToText(path)}`
    if ('problem' in target) return [invalidReference(field, `${target.text}: ${target.problem}`)]
    if (known.has(target.text)) return []
    const { group, resource, namespace, name } = target.place
    const subresource = isSensitive(target) ? 'sensitive' : ''
    const wanted = { user, cluster, verb: 'get', apiGroup: group, resource, subresource, namespace, name }
    if (authorizer.authorize(resourceAttributes(wanted)).allowed) return []
    const what = `${resource}${subresource === '' ? '' : `/${subresource}`}.${group}`.replace(/\.$/, '')
    throw forbidden(
      { group: type.group, resource: type.names.plural },
      own,
      `${field} refers to ${target.text}: user ${JSON.stringify(user.name)} can not get ${what} ${JSON.stringify(name)} in namespace ${JSON.stringify(namespace)}`,
    )
  })
}

/** That something is wrong at a place. */
export function invalidReference(field: string, message: string): StatusCause {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${message}` }
}

function textsOf(
  referring: Referring,
  references: readonly SpecReference[],
  kinds: KindCatalogue,
): ReadonlySet<string> {
  const all = references.map(({ reference }) => reference)
  return new Set(resolveReferences(referring, all, kinds).targets.map(({ text }) => text))
}

function isSensitive({ kind, attribute }: ReferenceTarget): boolean {
  return kind?.schema.block.attributes.some(({ name, sensitive }) => name === attribute && sensitive) === true
}

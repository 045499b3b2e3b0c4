import { identityType } from '@hykube/tfplugin/schema'
import { type Value, ValueError, valueFromJson } from '@hykube/tfplugin/value'
import type { InstanceKey, ResourceObject } from '../../model/index.ts'
import type { Importing } from '../../terraform/index.ts'

/** Returns the id or identity that an instance imports, undefined for none, or the problem of an invalid annotation. */
export function importTargetOf(
  { importId, importIdentity, kind }: Pick<ResourceObject, 'importId' | 'importIdentity' | 'kind'>,
  instance: InstanceKey,
): Importing | { readonly kind: 'problem'; readonly message: string } | undefined {
  if (importId !== undefined && importIdentity !== undefined)
    return problem('it has both hykube.io/import-id and hykube.io/import-identity: remove one of them')
  if (importId !== undefined) return instance === undefined ? { kind: 'id', id: importId } : idOf(importId, instance)
  if (importIdentity === undefined) return undefined
  if (instance !== undefined) return problem('hykube.io/import-identity is for objects without count and for_each')
  if (kind.identity === undefined) return problem(`${kind.type} has no identity: use hykube.io/import-id`)
  try {
    const identity: Value = valueFromJson(importIdentity, identityType(kind.identity))
    return identity === null ? problem('hykube.io/import-identity is null') : { kind: 'identity', identity }
  } catch (error) {
    if (error instanceof ValueError || error instanceof SyntaxError)
      return problem(`hykube.io/import-identity does not fit the identity of ${kind.type}: ${error.message}`)
    throw error
  }
}

// Parses one id per instance: {"0": "i-1", "1": "i-2"}.
function idOf(text: string, instance: string | number) {
  try {
    const ids: unknown = JSON.parse(text)
    if (typeof ids === 'object' && ids !== null && !Array.isArray(ids)) {
      const id = Object.hasOwn(ids, String(instance)) ? (ids as Record<string, unknown>)[String(instance)] : undefined
      return typeof id === 'string' && id !== '' ? ({ kind: 'id', id } as const) : undefined
    }
  } catch {
    // Not JSON; reported below.
  }
  return problem(
    'with count or for_each hykube.io/import-id must be a JSON object from instance keys to ids, such as {"0": "i-1"}',
  )
}

function problem(message: string) {
  return { kind: 'problem', message } as const
}

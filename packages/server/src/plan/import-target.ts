import { identityType, type Value, ValueError, valueFromJson } from '@hykube/tfplugin/value'
import type { NodeFacts } from './facts.ts'
import type { Importing } from './rules/planned-instance.ts'
import type { InstanceKey } from './vocabulary/instance-key.ts'

/** What an instance shall be imported from, undefined for nothing; or what is wrong with how that is written. */
export function importTargetOf(
  { importId, importIdentity, kind }: Pick<NodeFacts, 'importId' | 'importIdentity' | 'kind'>,
  instance: InstanceKey,
): Importing | { readonly kind: 'problem'; readonly message: string } | undefined {
  if (importId !== undefined && importIdentity !== undefined)
    return problem('it has both hykube.io/import-id and hykube.io/import-identity: take one of them away')
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

// One id for each instance: {"0": "i-1", "1": "i-2"}.
function idOf(text: string, instance: string | number) {
  try {
    const ids: unknown = JSON.parse(text)
    if (typeof ids === 'object' && ids !== null && !Array.isArray(ids)) {
      const id = Object.hasOwn(ids, String(instance)) ? (ids as Record<string, unknown>)[String(instance)] : undefined
      return typeof id === 'string' && id !== '' ? ({ kind: 'id', id } as const) : undefined
    }
  } catch {
    // Told below.
  }
  return problem('with count or for_each hykube.io/import-id is a JSON object from keys to ids, as {"0": "i-1"}')
}

function problem(message: string) {
  return { kind: 'problem', message } as const
}

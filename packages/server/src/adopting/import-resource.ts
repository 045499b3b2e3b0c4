import { conflict, invalid } from '@hykube/machinery/status'
import { identityType } from '@hykube/tfplugin/schema'
import { valueFromJson } from '@hykube/tfplugin/value'
import type { InstanceState, ResourceKind, ResourceRef } from '../model/index.ts'
import { type Importing, importState, type ProviderPort, type ResourceInstance } from '../terraform/index.ts'

/** Imports and reads a real resource. Fails with 409 and the provider's diagnostic when it can't. */
export async function importResource(
  kind: ResourceKind,
  ref: ResourceRef,
  instance: ResourceInstance,
  id: string,
  port: ProviderPort,
): Promise<InstanceState> {
  const found = await importState(instance, targetOf(kind, ref, id), port)
  if (found.kind === 'imported') return found.state
  throw conflict({ group: kind.group, resource: kind.resource }, ref.name, problemOf(found))
}

// Providers without ids list candidates by identity; the user then passes the identity as JSON in `id`.
function targetOf(kind: ResourceKind, { name }: ResourceRef, id: string): Importing {
  if (kind.identity === undefined || !id.startsWith('{')) return { kind: 'id', id }
  try {
    return { kind: 'identity', identity: valueFromJson(id, identityType(kind.identity)) }
  } catch (error) {
    throw invalid({ group: kind.group, kind: kind.kind }, name, [
      { reason: 'FieldValueInvalid', field: 'id', message: `Invalid value: ${(error as Error).message}` },
    ])
  }
}

function problemOf(failure: {
  readonly diagnostics: readonly { readonly summary: string; readonly detail?: string }[]
}): string {
  const [first] = failure.diagnostics
  return first === undefined ? 'the provider could not import it' : `${first.summary} ${first.detail ?? ''}`.trim()
}

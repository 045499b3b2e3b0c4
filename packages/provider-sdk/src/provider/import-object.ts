import type { ImportResourceStateRequest, ImportResourceStateResponse } from '@hykube/tfplugin/protocol'
import { isObject } from '@hykube/tfplugin/value'
import { diagnosticOf, ProviderFailure } from './failure.ts'
import { readIdentity } from './identity.ts'
import type { ResourceDefinition } from './resource.ts'
import { writeState } from './result-state.ts'
import type { Call } from './session.ts'

/** Answers ImportResourceState: returns a partial state from an id or identity, which the host then completes by a read. */
export async function importObject(
  definition: ResourceDefinition,
  request: ImportResourceStateRequest,
  call: Call,
): Promise<ImportResourceStateResponse> {
  const { typeName } = request
  try {
    const operation = call.objectOperation(typeName, definition.schema, undefined)
    const given = await importedAttributes(definition, request, operation)
    const state = writeState(definition.schema, given)
    return {
      importedResources: [
        {
          typeName,
          state,
          private: operation.private.toBytes(),
          ...(request.identity !== undefined && { identity: request.identity }),
        },
      ],
      diagnostics: call.diagnostics,
    }
  } catch (error) {
    call.diagnostics.push(diagnosticOf(error, `Cannot import ${typeName}`, definition.schema))
    return { importedResources: [], diagnostics: call.diagnostics }
  }
}

async function importedAttributes(
  { schema, identity, importState }: ResourceDefinition,
  request: ImportResourceStateRequest,
  operation: Parameters<NonNullable<ResourceDefinition['importState']>>[0] | object,
): Promise<Readonly<Record<string, unknown>>> {
  const { id, identity: given } = request
  if ((id === undefined || id === '') && isObject(given ?? null) && identity !== undefined) {
    // Identity attributes have the same names as the state attributes that they come from.
    const read = readIdentity(identity, given as never)
    return Object.fromEntries(Object.entries(read).filter(([name]) => name in schema.attributes))
  }
  if (id === undefined || id === '') throw new ProviderFailure('Cannot import without an id')
  if (importState !== undefined) return importState({ ...operation, id } as never)
  if ('id' in schema.attributes) return { id }
  throw new ProviderFailure('Cannot import objects of this type', {
    detail: 'The resource type has neither an importState function nor an attribute "id".',
  })
}

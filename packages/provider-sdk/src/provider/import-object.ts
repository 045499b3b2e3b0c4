import type { ImportResourceStateRequest, ImportResourceStateResponse } from '@hykube/tfplugin/protocol'
import { isObject } from '@hykube/tfplugin/value'
import { diagnosticOf, ProviderFailure } from './failure.ts'
import { readIdentity } from './identity.ts'
import type { ResourceDefinition } from './resource.ts'
import { writeState } from './result-state.ts'
import type { Call } from './session.ts'

/** What is known of an object that a person names; the host reads the rest. */
export async function importObject(
  definition: ResourceDefinition,
  request: ImportResourceStateRequest,
  call: Call,
): Promise<ImportResourceStateResponse> {
  const { typeName } = request
  try {
    const operation = call.objectOperation(typeName, definition.schema, undefined)
    const given = await known(definition, request, operation)
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

async function known(
  { schema, identity, importState }: ResourceDefinition,
  request: ImportResourceStateRequest,
  operation: Parameters<NonNullable<ResourceDefinition['importState']>>[0] | object,
): Promise<Readonly<Record<string, unknown>>> {
  const { id, identity: given } = request
  if ((id === undefined || id === '') && isObject(given ?? null) && identity !== undefined) {
    // Attributes of an identity are named as those of the state that they come from.
    const read = readIdentity(identity, given as never)
    return Object.fromEntries(Object.entries(read).filter(([name]) => name in schema.attributes))
  }
  if (id === undefined || id === '') throw new ProviderFailure('Cannot import without an id')
  if (importState !== undefined) return importState({ ...operation, id } as never)
  if ('id' in schema.attributes) return { id }
  throw new ProviderFailure('Cannot import objects of this type', {
    detail: 'The provider does not say how an id leads to an object.',
  })
}

import type { ReadResourceRequest, ReadResourceResponse } from '@hykube/tfplugin/protocol'
import type { ValueObject } from '@hykube/tfplugin/value'
import { readContent } from './content-values.ts'
import { diagnosticOf } from './failure.ts'
import { identityOf } from './identity.ts'
import type { ReadOperation } from './operation.ts'
import type { ResourceDefinition } from './resource.ts'
import { writeState } from './result-state.ts'
import type { SchemaSpec } from './schema/schema.ts'
import type { Call } from './session.ts'
import type { State } from './views.ts'

/** Answers ReadResource: the current state of one object. On failure the known state is returned unchanged. */
export async function readObject(
  definition: ResourceDefinition,
  request: ReadResourceRequest,
  call: Call,
): Promise<ReadResourceResponse> {
  try {
    const operation = readOperation(definition, request, call)
    return finishRead(definition, request, operation, call, await definition.read(operation))
  } catch (error) {
    return failedRead(definition, request, call, error)
  }
}

/** Builds the argument of the definition's `read`. Throws when the state does not fit the schema. */
export function readOperation(
  { schema }: ResourceDefinition,
  { typeName, currentState, private: bytes }: ReadResourceRequest,
  call: Call,
): ReadOperation<SchemaSpec, unknown> {
  const state = readContent(schema, currentState as ValueObject) as State<SchemaSpec>
  return { ...call.objectOperation(typeName, schema, bytes), state }
}

/** Builds the response from the outcome of `read`: a state, null when the object does not exist, or an error. */
export function finishRead(
  definition: ResourceDefinition,
  request: ReadResourceRequest,
  operation: ReadOperation<SchemaSpec, unknown>,
  call: Call,
  outcome: State<SchemaSpec> | null | Error,
): ReadResourceResponse {
  if (outcome instanceof Error) return failedRead(definition, request, call, outcome)
  const common = { private: operation.private.toBytes(), diagnostics: call.diagnostics }
  if (outcome === null) return { ...common, newState: null }
  try {
    const newState = writeState(definition.schema, outcome)
    return { ...common, newState, ...identityOf(definition, newState) }
  } catch (error) {
    return failedRead(definition, request, call, error)
  }
}

function failedRead(
  definition: ResourceDefinition,
  request: ReadResourceRequest,
  call: Call,
  error: unknown,
): ReadResourceResponse {
  call.diagnostics.push(diagnosticOf(error, `Cannot read ${request.typeName}`, definition.schema))
  const { currentState, currentIdentity, private: kept = new Uint8Array(0) } = request
  return {
    newState: currentState,
    private: kept,
    diagnostics: call.diagnostics,
    ...(currentIdentity !== undefined && { newIdentity: currentIdentity }),
  }
}

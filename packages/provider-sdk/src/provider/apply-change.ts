import type { ApplyResourceChangeRequest, ApplyResourceChangeResponse } from '@hykube/tfplugin/protocol'
import { isObject, type Value, type ValueObject } from '@hykube/tfplugin/value'
import { readContent } from './content-values.ts'
import { diagnosticOf, ProviderFailure } from './failure.ts'
import { identityOf } from './identity.ts'
import type { ApplyOperation } from './operation.ts'
import type { ResourceDefinition } from './resource.ts'
import { writeState } from './result-state.ts'
import type { SchemaSpec } from './schema/schema.ts'
import type { Call } from './session.ts'
import type { Config, Planned, State } from './views.ts'

/** Answers ApplyResourceChange: creates, updates or deletes one object. Errors become diagnostics. */
export async function applyChange(
  definition: ResourceDefinition,
  request: ApplyResourceChangeRequest,
  call: Call,
): Promise<ApplyResourceChangeResponse> {
  try {
    const operation = applyOperation(definition, request, call)
    return finishApply(definition, request, operation, call, await settle(() => callDefinition(definition, operation)))
  } catch (error) {
    return failedApply(definition, request, call, error)
  }
}

/** Builds the argument of the definition's function. Throws when the request does not fit the schema. */
export function applyOperation(
  { schema }: ResourceDefinition,
  { typeName, priorState, plannedState, config, plannedPrivate }: ApplyResourceChangeRequest,
  call: Call,
): ApplyOperation<SchemaSpec, unknown> {
  const common = call.objectOperation(typeName, schema, plannedPrivate)
  // The token belongs to this apply only, so it is not stored with the outcome.
  const token = common.private.token ?? ''
  common.private.token = undefined
  const read = (value: Value) => readContent(schema, value as ValueObject)
  if (!isObject(plannedState)) return { ...common, kind: 'delete', prior: read(priorState) as State<SchemaSpec>, token }
  const desired = {
    planned: read(plannedState) as Planned<SchemaSpec>,
    config: read(config) as Config<SchemaSpec>,
    token,
  }
  if (!isObject(priorState)) return { ...common, kind: 'create', ...desired }
  return { ...common, kind: 'update', prior: read(priorState) as State<SchemaSpec>, ...desired }
}

/** Builds the response from the outcome of the definition's function: a state, null for a deletion, or an error. */
export function finishApply(
  definition: ResourceDefinition,
  request: ApplyResourceChangeRequest,
  operation: ApplyOperation<SchemaSpec, unknown>,
  call: Call,
  outcome: State<SchemaSpec> | null | Error,
): ApplyResourceChangeResponse {
  if (outcome instanceof Error) return failedApply(definition, request, call, outcome, operation)
  const common = { legacyTypeSystem: false, diagnostics: call.diagnostics }
  if (operation.kind === 'delete') return { ...common, newState: null, private: new Uint8Array(0) }
  try {
    const newState = writeState(definition.schema, outcome)
    return { ...common, newState, private: operation.private.toBytes(), ...identityOf(definition, newState) }
  } catch (error) {
    return failedApply(definition, request, call, error, operation)
  }
}

async function callDefinition(
  definition: ResourceDefinition,
  operation: ApplyOperation<SchemaSpec, unknown>,
): Promise<State<SchemaSpec> | null> {
  switch (operation.kind) {
    case 'create':
      return definition.create(operation)
    case 'update':
      if (definition.update === undefined)
        throw new Error('the resource type has no update function: its objects must be replaced')
      return definition.update(operation)
    case 'delete':
      await definition.delete(operation)
      return null
  }
}

async function settle<T>(body: () => Promise<T>): Promise<T | Error> {
  try {
    return await body()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

// A failed apply must not lose an object that exists: it returns the prior state, or the state in the failure.
function failedApply(
  definition: ResourceDefinition,
  { typeName, priorState, plannedState, plannedPrivate }: ApplyResourceChangeRequest,
  call: Call,
  error: unknown,
  operation?: ApplyOperation<SchemaSpec, unknown>,
): ApplyResourceChangeResponse {
  const verb = plannedState === null ? 'delete' : priorState === null ? 'create' : 'update'
  call.diagnostics.push(diagnosticOf(error, `Cannot ${verb} ${typeName}`, definition.schema))
  const answer = {
    private: operation?.private.toBytes() ?? plannedPrivate ?? new Uint8Array(0),
    legacyTypeSystem: false,
    diagnostics: call.diagnostics,
  }
  if (!(error instanceof ProviderFailure) || error.state === undefined) return { ...answer, newState: priorState }
  try {
    return { ...answer, newState: writeState(definition.schema, error.state) }
  } catch (second) {
    call.diagnostics.push(diagnosticOf(second, `Cannot store the partial state of ${typeName}`, definition.schema))
    return { ...answer, newState: priorState }
  }
}

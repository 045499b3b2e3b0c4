import type { ApplyResourceChangeRequest, ApplyResourceChangeResponse } from '@hykube/tfplugin/protocol'
import { isObject, type Value, type ValueObject } from '@hykube/tfplugin/value'
import { readContent } from './content-values.ts'
import { diagnosticOf, ProviderFailure } from './failure.ts'
import { identityOf } from './identity.ts'
import type { ApplyOperation } from './operation.ts'
import type { ResourceDefinition } from './resource.ts'
import { writeState } from './result-state.ts'
import type { SchemaSpec } from './schema.ts'
import type { Call } from './session.ts'
import type { Config, Planned, State } from './views.ts'

/** Makes one change. */
export async function applyChange(
  definition: ResourceDefinition,
  request: ApplyResourceChangeRequest,
  call: Call,
): Promise<ApplyResourceChangeResponse> {
  try {
    const operation = applyOperation(definition, request, call)
    return finishApply(definition, request, operation, call, await settle(() => carryOut(definition, operation)))
  } catch (error) {
    return failedApply(definition, request, call, error)
  }
}

/** What the definition's function gets. Throws when the request can't be put in the author's form. */
export function applyOperation(
  { schema }: ResourceDefinition,
  { typeName, priorState, plannedState, config, plannedPrivate }: ApplyResourceChangeRequest,
  call: Call,
): ApplyOperation<SchemaSpec, unknown> {
  const common = call.objectOperation(typeName, schema, plannedPrivate)
  const token = common.private.token ?? ''
  common.private.token = undefined
  const read = (value: Value) => readContent(schema, value as ValueObject)
  if (!isObject(plannedState)) return { ...common, kind: 'delete', prior: read(priorState) as State<SchemaSpec>, token }
  const wanted = {
    planned: read(plannedState) as Planned<SchemaSpec>,
    config: read(config) as Config<SchemaSpec>,
    token,
  }
  if (!isObject(priorState)) return { ...common, kind: 'create', ...wanted }
  return { ...common, kind: 'update', prior: read(priorState) as State<SchemaSpec>, ...wanted }
}

/** The answer once the change was made or not. */
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

async function carryOut(
  definition: ResourceDefinition,
  operation: ApplyOperation<SchemaSpec, unknown>,
): Promise<State<SchemaSpec> | null> {
  switch (operation.kind) {
    case 'create':
      return definition.create(operation)
    case 'update':
      if (definition.update === undefined) throw new Error('objects of this type are replaced, not updated')
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

// What exists is kept even now: the object as it was, or what the failure says is left of it.
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
    call.diagnostics.push(diagnosticOf(second, `Cannot keep what is left of ${typeName}`, definition.schema))
    return { ...answer, newState: priorState }
  }
}

import { randomUUID } from 'node:crypto'
import type { PlanResourceChangeRequest, PlanResourceChangeResponse } from '@hykube/tfplugin/protocol'
import { equalValues, isObject, type Path, type Value, type ValueObject } from '@hykube/tfplugin/value'
import { readContent, writeContent } from './content-values.ts'
import { diagnostic, diagnosticOf } from './failure.ts'
import { addPath, changedParts, planBySchema, withoutWriteOnly } from './plan-rules.ts'
import { PrivateData } from './private-data.ts'
import type { ResourceDefinition } from './resource.ts'
import type { SchemaSpec } from './schema/schema.ts'
import type { Place } from './schema/type-mismatch.ts'
import type { Call } from './session.ts'
import type { DraftConfig, Planned, State } from './views.ts'

/** Answers PlanResourceChange: the planned state, and the attributes whose change replaces the object. */
export async function planChange(
  definition: ResourceDefinition,
  request: PlanResourceChangeRequest,
  call: Call,
): Promise<PlanResourceChangeResponse> {
  const { typeName, priorState, proposedNewState, config } = request
  // Private data of the prior state carries over into the plan; modifyPlan may change it.
  const kept = PrivateData.fromBytes(request.priorPrivate)
  const answer = (plannedState: Value, requiresReplace: readonly Path[], changes: boolean) => ({
    plannedState,
    requiresReplace,
    plannedPrivate: withToken(kept, definition.idempotent === true && changes).toBytes(),
    legacyTypeSystem: false,
    diagnostics: call.diagnostics,
    ...(request.priorIdentity !== undefined && { plannedIdentity: request.priorIdentity }),
  })
  if (!isObject(proposedNewState) || !isObject(config)) return answer(proposedNewState, [], priorState !== null)
  const prior = isObject(priorState) ? priorState : null
  try {
    const { planned, requiresReplace } = await plan(
      definition,
      { prior, config, proposed: proposedNewState },
      request,
      call,
      kept,
    )
    return answer(planned, requiresReplace, prior === null || !equalValues(planned, prior))
  } catch (error) {
    call.diagnostics.push(diagnosticOf(error, `Cannot plan ${typeName}`, definition.schema))
    return answer(proposedNewState, [], false)
  }
}

interface Change {
  readonly prior: ValueObject | null
  readonly config: ValueObject
  readonly proposed: ValueObject
}

// Plans by the schema, then by modifyPlan of the type. Without an update function every difference requires replacement.
async function plan(
  definition: ResourceDefinition,
  change: Change,
  request: PlanResourceChangeRequest,
  call: Call,
  kept: PrivateData,
): Promise<{ planned: ValueObject; requiresReplace: readonly Path[] }> {
  const { schema } = definition
  const { prior } = change
  const bySchema = planBySchema(schema, change)
  const requiresReplace = [...bySchema.requiresReplace]
  const planned =
    definition.modifyPlan === undefined
      ? bySchema.planned
      : await modified(definition, change, bySchema.planned, request, call, kept, requiresReplace)
  if (prior !== null && definition.update === undefined) {
    for (const path of changedParts(schema, planned, prior)) addPath(requiresReplace, path)
  }
  return { planned, requiresReplace }
}

async function modified(
  definition: ResourceDefinition,
  { prior, config }: Change,
  planned: ValueObject,
  { typeName, priorPrivate }: PlanResourceChangeRequest,
  call: Call,
  kept: PrivateData,
  requiresReplace: Path[],
): Promise<ValueObject> {
  const { schema } = definition
  const replace = (place: Place) => {
    const path = diagnostic('error', '', '', place, schema).attribute
    if (path !== undefined) addPath(requiresReplace, path)
  }
  const given = await definition.modifyPlan!({
    ...call.objectOperation(typeName, schema, priorPrivate),
    private: kept,
    config: readContent(schema, config) as DraftConfig<SchemaSpec>,
    prior: prior === null ? null : (readContent(schema, prior) as State<SchemaSpec>),
    planned: readContent(schema, planned) as Planned<SchemaSpec>,
    requiresReplace: replace,
  })
  return withoutWriteOnly(schema, writeContent(schema, given))
}

// A token belongs to one apply: the unused token of an earlier plan must not carry over into the next.
function withToken(kept: PrivateData, needed: boolean): PrivateData {
  kept.token = needed ? randomUUID() : undefined
  return kept
}

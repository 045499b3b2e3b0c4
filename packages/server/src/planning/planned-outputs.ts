import { Buffer } from 'node:buffer'
import { impliedType } from '@hykube/tfplugin/schema'
import { valueFromMsgpack } from '@hykube/tfplugin/value'
import { type Outputs, type OutputValue, outputsOfStates, outputValue, repetitionOf } from '../evaluation/index.ts'
import type { ChangeRecord, ResourceObject } from '../model/index.ts'
import { compareInstances, pathFromJson } from '../model/index.ts'
import type { PlanContext } from './context.ts'

/** Returns the outputs of an object's stored states. */
export async function knownOutputs({ ports }: Pick<PlanContext, 'ports'>, object: ResourceObject): Promise<Outputs> {
  return outputsOfStates(object.kind.schema, repetitionOf(object.spec), await ports.states(object.ref))
}

/** Returns the outputs of an object once the plan is applied: the stored states, overridden by the changes recorded so far. */
export async function plannedOutputs(
  context: Pick<PlanContext, 'ports' | 'sink'>,
  object: ResourceObject,
): Promise<Outputs> {
  const { repetition, instances: known } = await knownOutputs(context, object)
  const instances = new Map(known)
  for await (const { target, record } of context.sink.changes(object.ref)) {
    if (target.part !== '') continue
    const output = plannedOutput(object, record)
    if (output === undefined) instances.delete(target.instance)
    else instances.set(target.instance, output)
  }
  return { repetition, instances: new Map([...instances].sort(([a], [b]) => compareInstances(a, b))) }
}

function plannedOutput({ kind }: ResourceObject, { action, work }: ChangeRecord): OutputValue | undefined {
  if (action === 'delete' || action === 'forget' || work?.planned === undefined) return undefined
  const value = valueFromMsgpack(Buffer.from(work.planned, 'base64'), impliedType(kind.schema.block))
  return outputValue(kind.schema, value, work.afterSensitive.map(pathFromJson))
}

import { Buffer } from 'node:buffer'
import { impliedType, valueFromMsgpack } from '@hykube/tfplugin/value'
import type { ChangeRecord } from './change-record.ts'
import type { PlanContext } from './context.ts'
import type { NodeFacts } from './facts.ts'
import { type Outputs, type OutputValue, outputsOfStates, outputValue, repetitionOf } from './outputs.ts'
import { pathFromJson } from './state-record.ts'
import { compareInstances } from './vocabulary/instance-key.ts'

/** What is known of an object as it is. */
export async function knownOutputs({ ports }: Pick<PlanContext, 'ports'>, node: NodeFacts): Promise<Outputs> {
  return outputsOfStates(node.kind.schema, repetitionOf(node.spec), await ports.states(node.place))
}

/** What an object will be like once the plan is applied: what is known of it, and on top what the plan says by now. */
export async function plannedOutputs(context: Pick<PlanContext, 'ports' | 'sink'>, node: NodeFacts): Promise<Outputs> {
  const { repetition, instances: known } = await knownOutputs(context, node)
  const instances = new Map(known)
  for await (const { place, record } of context.sink.changes(node.place)) {
    if (place.part !== '') continue
    const output = plannedOutput(node, record)
    if (output === undefined) instances.delete(place.instance)
    else instances.set(place.instance, output)
  }
  return { repetition, instances: new Map([...instances].sort(([a], [b]) => compareInstances(a, b))) }
}

function plannedOutput({ kind }: NodeFacts, { action, work }: ChangeRecord): OutputValue | undefined {
  if (action === 'delete' || action === 'forget' || work?.planned === undefined) return undefined
  const value = valueFromMsgpack(Buffer.from(work.planned, 'base64'), impliedType(kind.schema.block))
  return outputValue(kind.schema, value, work.afterSensitive.map(pathFromJson))
}

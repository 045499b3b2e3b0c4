import { impliedType, isUnknown, transformValue, type Value } from '@hykube/tfplugin/value'
import {
  attributeAt,
  factsOf,
  type InstanceKey,
  type NodeFacts,
  type NodeKind,
  type ProviderAccess,
  type WorkOrder,
} from '../plan/index.ts'
import { configurationNow } from './inputs-now.ts'
import type { ApplyPorts } from './ports.ts'

/** The call that is to be repeated, as far as its configuration depends on it. */
export interface RepeatedCall {
  /** The object as it was; undefined when it is another one by now. */
  readonly node: NodeFacts | undefined
  readonly kind: NodeKind
  readonly instance: InstanceKey
  readonly work: WorkOrder
  readonly planned: Value
}

/**
 * The configuration that a call was made with. It is not kept, but follows from the object as long as that and its inputs are what
 * they were; after that, from what was planned. Undefined when it held what is only written: that is in no plan.
 */
export async function configurationToRepeat(
  ports: ApplyPorts,
  access: ProviderAccess,
  { node, kind, instance, work, planned }: RepeatedCall,
): Promise<Value | undefined> {
  const now = node === undefined ? undefined : await configurationNow(ports, node, instance, access, work)
  if (now?.kind === 'config') return now.value
  return factsOf(kind.schema.block).writeOnly ? undefined : configurationFromPlan(kind, planned)
}

// What only the provider gives a value to was not written.
function configurationFromPlan({ schema: { block } }: NodeKind, planned: Value): Value {
  return transformValue(planned, impliedType(block), (part, path) => {
    if (isUnknown(part)) return null
    const attribute = path.at(-1)?.kind === 'attribute' ? attributeAt(block, path) : undefined
    return attribute?.computed === true && !attribute.optional ? null : part
  })
}

import { impliedType } from '@hykube/tfplugin/schema'
import { isUnknown, transformValue, type Value } from '@hykube/tfplugin/value'
import type { ProviderAccess } from '../evaluation/index.ts'
import { currentConfiguration } from '../evaluation/index.ts'
import type { InstanceKey, ResourceKind, ResourceObject, WorkOrder } from '../model/index.ts'
import { attributeAt, factsOf } from '../terraform/index.ts'
import type { ApplyPorts } from './ports.ts'

/** The facts about a repeated call that its configuration depends on. */
export interface RepeatedCall {
  /** The object; undefined when it was changed since the call. */
  readonly object: ResourceObject | undefined
  readonly kind: ResourceKind
  readonly instance: InstanceKey
  readonly work: WorkOrder
  readonly planned: Value
}

/**
 * Reconstructs the configuration of a call, which isn't stored. It is evaluated again if the object and its inputs are unchanged, and
 * otherwise derived from the planned value. Undefined when the schema has write-only attributes, which a plan doesn't contain.
 */
export async function configurationToRepeat(
  ports: ApplyPorts,
  access: ProviderAccess,
  { object, kind, instance, work, planned }: RepeatedCall,
): Promise<Value | undefined> {
  const now = object === undefined ? undefined : await currentConfiguration(ports, object, instance, access, work)
  if (now?.kind === 'config') return now.value
  return factsOf(kind.schema.block).writeOnly ? undefined : configurationFromPlan(kind, planned)
}

// Computed-only attributes are not part of a configuration.
function configurationFromPlan({ schema: { block } }: ResourceKind, planned: Value): Value {
  return transformValue(planned, impliedType(block), (part, path) => {
    if (isUnknown(part)) return null
    const attribute = path.at(-1)?.kind === 'attribute' ? attributeAt(block, path) : undefined
    return attribute?.computed === true && !attribute.optional ? null : part
  })
}

import {
  compileConfig,
  costLimitPerObject,
  type Evaluated,
  expansionOf,
  Meter,
  referencesOf,
} from '../expression/index.ts'
import {
  fingerprintOf,
  Inputs,
  type InstanceConfig,
  type InstanceKey,
  lifecycleOf,
  type NodeFacts,
  nodeToText,
  outputsOfStates,
  type PlannerPorts,
  type ProviderAccess,
  repetitionOf,
  resolveReference,
  type WorkOrder,
} from '../plan/index.ts'
import type { Refusal } from './ports.ts'

/** The configuration of an instance as it is now, or why it is not what was planned. */
export async function configurationNow(
  ports: PlannerPorts,
  node: NodeFacts,
  instance: InstanceKey,
  access: ProviderAccess,
  work: WorkOrder,
): Promise<(InstanceConfig & { readonly kind: 'config'; readonly refersTo: readonly string[] }) | Refusal> {
  const found = await readInputs(ports, node)
  if ('kind' in found) return found
  const { inputs, refersTo } = found
  const each = eachOf(node, instance, inputs)
  if (each === 'gone') return refused('its count or for_each no longer makes this instance')
  const scope = inputs.scope(instance, each)
  const { value, sensitive, problems } = compileConfig(node.kind.schema.block, node.spec).evaluate(
    scope,
    new Meter(costLimitPerObject),
  )
  if (problems[0] !== undefined) return refused(problems[0].message)
  const hash = (text: string) => ports.hash(text)
  const used = scope.used(hash)
  const moved = firstMoved(work.inputs, used)
  if (moved !== undefined) return refused(`${moved} has changed since the plan was made: make a new plan`)
  const fingerprint = fingerprintOf(value, lifecycleOf(node.spec), refersTo, access, hash)
  return { kind: 'config', value, sensitive, used, fingerprint, refersTo }
}

async function readInputs(ports: PlannerPorts, node: NodeFacts) {
  const inputs = new Inputs()
  const refersTo = new Set<string>()
  for (const { reference, role } of referencesOf(node.kind.schema.block, node.spec).references) {
    const target = resolveReference(node, reference, ports.kinds)
    if (target === undefined) continue
    if ('problem' in target) return refused(`${target.text}: ${target.problem}`)
    if (reference.kind === 'secret' || reference.kind === 'configmap')
      inputs.takeText(reference, await ports.keyValue(reference.kind, target.place, reference.key))
    if (reference.kind !== 'resource') continue
    refersTo.add(nodeToText(target.place))
    if (role !== 'value' && role !== 'expansion') continue
    const other = await ports.node(target.place)
    if (other === undefined) return refused(`${target.text}: there is no such object any more`)
    inputs.takeOutputs(
      reference,
      outputsOfStates(other.kind.schema, repetitionOf(other.spec), await ports.states(target.place)),
    )
  }
  return { inputs, refersTo: [...refersTo] }
}

function eachOf(node: NodeFacts, instance: InstanceKey, inputs: Inputs): Evaluated | undefined | 'gone' {
  const expansion = expansionOf(node.spec)
  if (expansion.kind === 'single') return instance === undefined ? undefined : 'gone'
  if (expansion.kind === 'invalid') return 'gone'
  const result = expansion.evaluate(inputs.scope(undefined, undefined), new Meter(costLimitPerObject))
  if (result.kind === 'count') return typeof instance === 'number' && instance < result.count ? undefined : 'gone'
  if (result.kind !== 'for_each' || typeof instance !== 'string') return 'gone'
  return result.entries.get(instance) ?? 'gone'
}

// What was known when the plan was made must still be that; what was not may be anything.
function firstMoved(planned: WorkOrder['inputs'], now: InstanceConfig['used']): string | undefined {
  const current = new Map(now)
  return planned.find(([text, hash]) => hash !== null && current.get(text) !== hash)?.[0]
}

function refused(message: string): Refusal {
  return { kind: 'refused', message }
}

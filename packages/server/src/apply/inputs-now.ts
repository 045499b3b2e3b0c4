import {
  costLimitPerObject,
  type Evaluated,
  type ExpansionResult,
  evaluateConfig,
  expansionOf,
  Meter,
  type ResourceReference,
  referencesOf,
  type SpecReference,
  shownProblem,
} from '../expression/index.ts'
import {
  AuthorizedUses,
  configurationOf,
  fingerprintOf,
  hideConfigured,
  Inputs,
  type InstanceConfig,
  type InstanceKey,
  type InstanceStates,
  lifecycleOf,
  type NodeFacts,
  nodeToText,
  type Outputs,
  outputsOfStates,
  type PlannerPorts,
  type ProviderAccess,
  type ReferenceTarget,
  repetitionOf,
  resolveReference,
  takesValue,
  type WorkOrder,
} from '../plan/index.ts'
import type { Refusal } from './ports.ts'

/** The configuration of an instance as it is now, and what it refers to. */
export type ConfigurationNow = InstanceConfig & { readonly kind: 'config'; readonly refersTo: readonly string[] }

/** The configuration of an instance as it is now, or why it is not what was planned. */
export async function configurationNow(
  ports: PlannerPorts,
  node: NodeFacts,
  instance: InstanceKey,
  access: ProviderAccess,
  work: WorkOrder,
): Promise<ConfigurationNow | Refusal> {
  const found = await readInputs(ports, node, instance)
  if ('kind' in found) return found
  const { inputs, refersTo } = found
  const each = eachOf(node, instance, inputs)
  if (each === 'gone') return refused('its count or for_each no longer makes this instance')
  const scope = inputs.scope(instance, each)
  const { value, sensitive, problems } = evaluateConfig(
    node.kind.schema.block,
    node.spec,
    scope,
    new Meter(costLimitPerObject),
  )
  const problem = shownProblem(problems)
  if (problem !== undefined) return refused(problem.message)
  const hash = (text: string) => ports.hash(text)
  const used = scope.used(hash)
  const moved = firstMoved(work.inputs, used)
  if (moved !== undefined) return refused(`${moved} has changed since the plan was made: make a new plan`)
  const { secrets } = scope
  hideConfigured(access, node.kind.schema, { value, sensitive, secrets })
  const fingerprint = fingerprintOf(value, lifecycleOf(node.spec), refersTo, access, hash)
  return { kind: 'config', value, sensitive, secrets, used, fingerprint, refersTo }
}

async function readInputs(
  ports: PlannerPorts,
  node: NodeFacts,
  own: InstanceKey,
): Promise<{ readonly inputs: Inputs; readonly refersTo: readonly string[] } | Refusal> {
  const inputs = new Inputs()
  const refersTo = new Set<string>()
  const uses = new AuthorizedUses(ports, node.place)
  for (const use of referencesIn(node)) {
    const { reference } = use
    const target = resolveReference(node, reference, ports.kinds)
    if (target === undefined) continue
    if ('problem' in target) return refused(`${target.text}: ${target.problem}`)
    if (reference.kind === 'secret' || reference.kind === 'configmap')
      inputs.takeText(reference, await ports.keyValue(reference.kind, target.place, reference.key))
    if (reference.kind !== 'resource') continue
    refersTo.add(nodeToText(target.place))
    if (!takesValue(use)) continue
    const outputs = await outputsNow(ports, target, reference, own)
    if (outputs === undefined) return refused(`${target.text}: there is no such object any more`)
    const problem = await uses.problem(use, outputs)
    if (problem !== undefined) return refused(problem)
    inputs.takeOutputs(reference, outputs)
  }
  for (const { place } of await ports.configuredFrom(node.place, node.kind, configurationOf(node.spec)))
    refersTo.add(nodeToText(place))
  return { inputs, refersTo: [...refersTo] }
}

/** What an object that is referred to gives now. One instance is read where only one is meant, so that batches read each record once. */
export async function outputsNow(
  ports: PlannerPorts,
  { place }: ReferenceTarget,
  { instance }: ResourceReference,
  own: InstanceKey,
): Promise<Outputs | undefined> {
  const node = await ports.node(place)
  if (node === undefined) return undefined
  const repetition = repetitionOf(node.spec)
  const key = instance.kind === 'key' ? instance.key : instance.kind === 'same' ? own : undefined
  if (key === undefined && repetition !== 'single')
    return outputsOfStates(node.kind.schema, repetition, await statesMade(ports, node))
  const state = await ports.state(place, key)
  return outputsOfStates(node.kind.schema, repetition, state === undefined ? [] : [state])
}

// Those that are no longer made go with the plan, whether they are gone by now or not.
async function statesMade(ports: PlannerPorts, node: NodeFacts): Promise<readonly InstanceStates[]> {
  const states = await ports.states(node.place)
  const isLiteral = expansions.has(node.spec) || expansionReferences(node.spec) === 0
  const found = isLiteral ? { inputs: new Inputs() } : await readInputs(ports, node, undefined)
  if ('kind' in found) return states
  return states.filter(({ instance }) => eachOf(node, instance, found.inputs) !== 'gone')
}

function expansionReferences(spec: NodeFacts['spec']): number {
  const expansion = expansionOf(spec)
  return 'references' in expansion ? expansion.references.length : 0
}

// What follows from a specification alone is found once for all instances of it.
const references = new WeakMap<object, readonly SpecReference[]>()
const expansions = new WeakMap<object, ExpansionResult>()

function referencesIn({ spec, kind }: NodeFacts): readonly SpecReference[] {
  let known = references.get(spec)
  if (known === undefined) {
    known = referencesOf(kind.schema.block, spec).references
    references.set(spec, known)
  }
  return known
}

function eachOf({ spec }: NodeFacts, instance: InstanceKey, inputs: Inputs): Evaluated | undefined | 'gone' {
  const result = expansions.get(spec) ?? expand(spec, inputs)
  if (result === 'single') return instance === undefined ? undefined : 'gone'
  if (result.kind === 'count') return typeof instance === 'number' && instance < result.count ? undefined : 'gone'
  if (result.kind !== 'for_each' || typeof instance !== 'string') return 'gone'
  return result.entries.get(instance) ?? 'gone'
}

function expand(spec: NodeFacts['spec'], inputs: Inputs): ExpansionResult | 'single' {
  const expansion = expansionOf(spec)
  if (expansion.kind === 'single') return 'single'
  if (expansion.kind === 'invalid') return { kind: 'unknown' }
  const result = expansion.evaluate(inputs.scope(undefined, undefined), new Meter(costLimitPerObject))
  if (expansion.references.length === 0) expansions.set(spec, result)
  return result
}

// What was known when the plan was made must still be that; what was not may be anything.
function firstMoved(planned: WorkOrder['inputs'], now: InstanceConfig['used']): string | undefined {
  const current = new Map(now)
  return planned.find(([text, hash]) => hash !== null && current.get(text) !== hash)?.[0]
}

function refused(message: string): Refusal {
  return { kind: 'refused', message }
}

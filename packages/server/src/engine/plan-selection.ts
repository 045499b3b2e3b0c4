import { expansionOf, parseAddress, referencesOf } from '../expression/index.ts'
import {
  configurationOf,
  type InstanceKey,
  type NodeFacts,
  type NodePlace,
  nodeToText,
  resolveReferences,
} from '../plan/index.ts'
import type { EngineParts } from './engine-parts.ts'
import type { PlanSelection, PlanSpec } from './plan-spec.ts'

/**
 * Finds what the addresses of a plan name. Throws where one of them names nothing: a plan of anything else was not asked for. What a
 * plan that is being applied names may be destroyed by now.
 */
export async function planSelection(
  parts: EngineParts,
  place: { readonly cluster: string; readonly namespace: string },
  spec: PlanSpec,
  stage: 'planning' | 'applying',
): Promise<PlanSelection> {
  const find = async (field: 'targets' | 'excludes' | 'replace') => {
    const all: Named[] = []
    for (const text of spec[field] ?? []) {
      const named = await namedBy(parts, place, spec, text)
      if ('problem' in named && stage === 'planning') throw new Error(`spec.${field}: ${text} ${named.problem}`)
      if (!('problem' in named)) all.push(...named)
    }
    return all
  }
  const [targets, excludes, replace] = [await find('targets'), await find('excludes'), await find('replace')]
  const [whole, instances] = split(targets)
  const [excluded, excludedInstances] = split(excludes)
  const places = targets.map(({ place: target }) => target)
  return {
    targeted: targets.length === 0 ? undefined : await closure(parts, places, spec),
    instances: new Map([...instances].filter(([node]) => !whole.has(node))),
    excluded,
    excludedInstances,
    named: [...targets, ...replace].map(({ place: each }) => each),
  }
}

interface Named {
  readonly place: NodePlace
  readonly key: InstanceKey
}

async function namedBy(
  parts: EngineParts,
  { cluster, namespace: own }: { readonly cluster: string; readonly namespace: string },
  { allNamespaces }: PlanSpec,
  text: string,
): Promise<readonly Named[] | { readonly problem: string }> {
  const { namespace = own, name, key, ...wanted } = parseAddress(text)
  // It is not looked for: the plan's author need not be allowed to know what is there.
  if (namespace !== own && allNamespaces !== true) return { problem: 'is in another namespace: set allNamespaces' }
  const found: Named[] = []
  for (const { type, data, provider, group, resource } of parts.kinds.kinds(cluster)) {
    if (type !== wanted.type || data !== wanted.data || (wanted.provider ?? provider) !== provider) continue
    const place = { cluster, group, resource, namespace, name }
    if (await exists(parts, place, key)) found.push({ place, key })
  }
  if (found.length > 0) return found
  const what = key === undefined ? 'object' : 'instance'
  return { problem: `names nothing: there is no such ${what}, neither in a specification nor in the state` }
}

async function exists({ reader, estate }: EngineParts, place: NodePlace, key: InstanceKey): Promise<boolean> {
  const node = await reader.node(place)
  if (key === undefined) return node !== undefined || (await estate.hasState(place))
  return (await reader.state(place, key)) !== undefined || (node !== undefined && makesInstance(node, key))
}

// Where it follows from values elsewhere, which instances there are is known only in the plan: then every key that fits is taken.
function makesInstance({ spec }: NodeFacts, key: string | number): boolean {
  const expansion = expansionOf(spec)
  switch (expansion.kind) {
    case 'single':
      return false
    case 'invalid':
      return true
    default: {
      if (expansion.references.length > 0) return (expansion.kind === 'count') === (typeof key === 'number')
      const { count, for_each: forEach } = spec
      if (expansion.kind === 'count') return typeof key === 'number' && key < Number(count)
      return Array.isArray(forEach) ? forEach.includes(key) : Object.hasOwn(forEach as object, key)
    }
  }
}

function split(named: readonly Named[]): [ReadonlySet<string>, ReadonlyMap<string, ReadonlySet<InstanceKey>>] {
  const whole = new Set<string>()
  const instances = new Map<string, Set<InstanceKey>>()
  for (const { place, key } of named) {
    const node = nodeToText(place)
    if (key === undefined) whole.add(node)
    else instances.set(node, (instances.get(node) ?? new Set()).add(key))
  }
  return [whole, instances]
}

// A destruction takes dependents along, since they can't stay; anything else takes along what is referred to, since it comes first.
async function closure(
  parts: EngineParts,
  targets: readonly NodePlace[],
  { mode }: PlanSpec,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const open = [...targets]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const text = nodeToText(place)
    if (found.has(text)) continue
    found.add(text)
    for await (const next of mode === 'Destroy' ? usersOf(parts, place) : referredTo(parts, place)) open.push(next)
  }
  return found
}

// An edge of a batch outlives the instances that it came from: their records say whether it still holds.
async function* usersOf({ reader }: EngineParts, place: NodePlace): AsyncGenerator<NodePlace> {
  const text = nodeToText(place)
  for await (const user of reader.madeFrom(place)) {
    const states = await reader.states(user)
    const records = states.flatMap(({ current, observed, deposed }) => [current, observed, ...deposed])
    if (records.some((known) => known?.record.dependencies.includes(text))) yield user
  }
}

async function* referredTo({ kinds, reader }: EngineParts, place: NodePlace): AsyncGenerator<NodePlace> {
  const node = await reader.node(place)
  if (node === undefined) return
  const references = referencesOf(node.kind.schema.block, node.spec).references.map(({ reference }) => reference)
  const configured = await reader.configuredFrom(place, node.kind, configurationOf(node.spec))
  for (const target of [...resolveReferences(node, references, kinds).targets, ...configured])
    if (target.kind !== undefined) yield target.place
}

import { parseAddress } from '@hykube/machinery/object'
import type { PlanSpec } from '@hykube/machinery/plan-api'
import { configurationOf, resolveReferences } from '../../evaluation/index.ts'
import { expansionOf, referencesOf } from '../../expression/index.ts'
import { type InstanceKey, type ResourceObject, type ResourceRef, refToText } from '../../model/index.ts'
import type { PlanSelection } from '../api/plan-spec.ts'
import type { EngineParts } from '../engine-parts.ts'

/**
 * Finds the objects and instances that the addresses of a plan name. While planning, an address without an object or state is an error. While
 * applying it is ignored, because the plan may have destroyed the object.
 */
export async function planSelection(
  parts: EngineParts,
  scope: { readonly cluster: string; readonly namespace: string },
  spec: PlanSpec,
  stage: 'planning' | 'applying',
): Promise<PlanSelection> {
  const find = async (field: 'targets' | 'excludes' | 'replace') => {
    const all: Named[] = []
    for (const text of spec[field] ?? []) {
      const named = await namedBy(parts, scope, spec, text)
      if ('problem' in named && stage === 'planning') throw new Error(`spec.${field}: ${text} ${named.problem}`)
      if (!('problem' in named)) all.push(...named)
    }
    return all
  }
  const [targets, excludes, replace] = [await find('targets'), await find('excludes'), await find('replace')]
  const [whole, instances] = split(targets)
  const [excluded, excludedInstances] = split(excludes)
  const refs = targets.map(({ ref: target }) => target)
  return {
    targeted: targets.length === 0 ? undefined : await closure(parts, refs, spec),
    instances: new Map([...instances].filter(([refText]) => !whole.has(refText))),
    excluded,
    excludedInstances,
    named: [...targets, ...replace].map(({ ref: each }) => each),
  }
}

interface Named {
  readonly ref: ResourceRef
  readonly key: InstanceKey
}

async function namedBy(
  parts: EngineParts,
  { cluster, namespace: own }: { readonly cluster: string; readonly namespace: string },
  { allNamespaces }: PlanSpec,
  text: string,
): Promise<readonly Named[] | { readonly problem: string }> {
  const { namespace = own, name, key, ...wanted } = parseAddress(text)
  // Not looked up, because the plan's author may not be allowed to know whether it exists.
  if (namespace !== own && allNamespaces !== true) return { problem: 'is in another namespace: set allNamespaces' }
  const found: Named[] = []
  for (const { type, data, provider, group, resource } of parts.kinds.kinds(cluster)) {
    if (type !== wanted.type || data !== wanted.data || (wanted.provider ?? provider) !== provider) continue
    const ref = { cluster, group, resource, namespace, name }
    if (await exists(parts, ref, key)) found.push({ ref, key })
  }
  if (found.length > 0) return found
  const what = key === undefined ? 'object' : 'instance'
  return { problem: `does not exist: there is no such ${what} in any spec or state` }
}

async function exists({ reader, estate }: EngineParts, ref: ResourceRef, key: InstanceKey): Promise<boolean> {
  const object = await reader.object(ref)
  if (key === undefined) return object !== undefined || (await estate.hasState(ref))
  return (await reader.state(ref, key)) !== undefined || (object !== undefined && mayHaveInstance(object, key))
}

// If count or for_each depends on other objects, the instances are known only while planning, so every key of the right type is accepted.
function mayHaveInstance({ spec }: ResourceObject, key: string | number): boolean {
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
  for (const { ref, key } of named) {
    const refText = refToText(ref)
    if (key === undefined) whole.add(refText)
    else instances.set(refText, (instances.get(refText) ?? new Set()).add(key))
  }
  return [whole, instances]
}

// Adds the dependents of targets to a destruction, and the dependencies of targets to any other plan, as Terraform does.
async function closure(
  parts: EngineParts,
  targets: readonly ResourceRef[],
  { mode }: PlanSpec,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const open = [...targets]
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    const text = refToText(ref)
    if (found.has(text)) continue
    found.add(text)
    for await (const next of mode === 'Destroy' ? usersOf(parts, ref) : referredTo(parts, ref)) open.push(next)
  }
  return found
}

// Edges of a batch may be outdated, so the state records of the user are checked.
async function* usersOf({ reader }: EngineParts, ref: ResourceRef): AsyncGenerator<ResourceRef> {
  const text = refToText(ref)
  for await (const user of reader.madeFrom(ref)) {
    const states = await reader.states(user)
    const records = states.flatMap(({ current, observed, deposed }) => [current, observed, ...deposed])
    if (records.some((known) => known?.record.dependencies.includes(text))) yield user
  }
}

async function* referredTo({ kinds, reader }: EngineParts, ref: ResourceRef): AsyncGenerator<ResourceRef> {
  const object = await reader.object(ref)
  if (object === undefined) return
  const references = referencesOf(object.kind.schema.block, object.spec).references.map(({ reference }) => reference)
  const configured = await reader.configuredFrom(ref, object.kind, configurationOf(object.spec))
  for (const target of [...resolveReferences(object, references, kinds).targets, ...configured])
    if (target.kind !== undefined) yield target.ref
}

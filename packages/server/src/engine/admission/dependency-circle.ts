import type { KubernetesObject } from '@hykube/machinery/object'
import type { StatusCause } from '@hykube/machinery/status'
import { resolvedProvidersOf } from '../../estate/index.ts'
import { type Reference, referencesOf } from '../../expression/index.ts'
import {
  configurationOf,
  type NodeFacts,
  type NodePlace,
  nodeToText,
  type Referring,
  resolveReferences,
} from '../../plan/index.ts'
import { configPlace, type EstateReader } from '../estate-reader.ts'
import { invalidReference } from './reference-permissions.ts'

/** What an object refers to: objects of providers, and the configuration it uses. */
export function targetsOfNode(node: NodeFacts, reader: EstateReader): NodePlace[] {
  const { references } = referencesOf(undefined, node.spec)
  const targets = targetsOf(
    node,
    references.map(({ reference }) => reference),
    reader,
  )
  const configuration = configurationOf(node.spec)
  return configuration === '' ? targets : [...targets, configPlace(node.place, configuration)]
}

/** What a configuration refers to. */
export function targetsOfConfiguration(place: NodePlace, object: KubernetesObject, reader: EstateReader): NodePlace[] {
  const { provider = '', config = {} } = (object.spec ?? {}) as { provider?: string; config?: NodeFacts['spec'] }
  const { references } = referencesOf(undefined, config)
  return targetsOf(
    { place, kind: { provider }, resolved: resolvedProvidersOf(object) },
    references.map(({ reference }) => reference),
    reader,
  )
}

/** That something would depend on itself, with the way it goes; nothing when it would not. */
export async function findCircle(
  place: NodePlace,
  targets: readonly NodePlace[],
  reader: EstateReader,
): Promise<StatusCause[]> {
  const own = nodeToText(place)
  const from = new Map(targets.map((target) => [nodeToText(target), own]))
  const open = [...targets]
  for (let at = open.pop(); at !== undefined && from.size < mostVisited; at = open.pop()) {
    const text = nodeToText(at)
    if (text === own) return [invalidReference('spec', `it would close a dependency cycle: ${wayTo(own, from)}`)]
    for (const next of await targetsAt(at, reader)) {
      const nextText = nodeToText(next)
      if (from.has(nextText)) continue
      from.set(nextText, text)
      open.push(next)
    }
  }
  return []
}

// A circle that is longer is found by the planner.
const mostVisited = 10_000

async function targetsAt(place: NodePlace, reader: EstateReader): Promise<NodePlace[]> {
  if (place.group === 'hykube.io') {
    const object = await reader.configuration(place)
    return object === undefined ? [] : targetsOfConfiguration(place, object, reader)
  }
  const node = await reader.node(place)
  return node === undefined ? [] : targetsOfNode(node, reader)
}

function targetsOf(referring: Referring, references: readonly Reference[], { kinds }: EstateReader): NodePlace[] {
  return resolveReferences(referring, references, kinds)
    .targets.filter(({ kind }) => kind !== undefined)
    .map((target) => target.place)
}

function wayTo(own: string, from: ReadonlyMap<string, string>): string {
  const way = [own]
  for (let at = from.get(own); at !== undefined && at !== own; at = from.get(at)) way.push(at)
  way.push(own)
  return way
    .reverse()
    .map((text) => text.split('/').slice(1).join('/'))
    .join(' → ')
}

import type { KubernetesObject } from '@hykube/machinery/object'
import type { StatusCause } from '@hykube/machinery/status'
import { configRef, type EstateReader, resolvedProvidersOf } from '../../estate/index.ts'
import { configurationOf, type Referring, resolveReferences } from '../../evaluation/index.ts'
import { type Reference, referencesOf } from '../../expression/index.ts'
import { type ResourceObject, type ResourceRef, refToText } from '../../model/index.ts'
import { invalidReference } from './reference-permissions.ts'

/** Returns the references of an object: providers' objects, and the ProviderConfig that it uses. */
export function targetsOfObject(object: ResourceObject, reader: EstateReader): ResourceRef[] {
  const { references } = referencesOf(undefined, object.spec)
  const targets = targetsOf(
    object,
    references.map(({ reference }) => reference),
    reader,
  )
  const configuration = configurationOf(object.spec)
  return configuration === '' ? targets : [...targets, configRef(object.ref, configuration)]
}

/** Returns the references of a provider configuration. */
export function targetsOfConfiguration(
  ref: ResourceRef,
  object: KubernetesObject,
  reader: EstateReader,
): ResourceRef[] {
  const { provider = '', config = {} } = (object.spec ?? {}) as { provider?: string; config?: ResourceObject['spec'] }
  const { references } = referencesOf(undefined, config)
  return targetsOf(
    { ref, kind: { provider }, resolved: resolvedProvidersOf(object) },
    references.map(({ reference }) => reference),
    reader,
  )
}

/** Returns an error with the path of a dependency cycle that a write would create; empty when there is none. */
export async function findCycle(
  ref: ResourceRef,
  targets: readonly ResourceRef[],
  reader: EstateReader,
): Promise<StatusCause[]> {
  const own = refToText(ref)
  const from = new Map(targets.map((target) => [refToText(target), own]))
  const open = [...targets]
  for (let at = open.pop(); at !== undefined && from.size < mostVisited; at = open.pop()) {
    const text = refToText(at)
    if (text === own) return [invalidReference('spec', `it would close a dependency cycle: ${pathTo(own, from)}`)]
    for (const next of await targetsAt(at, reader)) {
      const nextText = refToText(next)
      if (from.has(nextText)) continue
      from.set(nextText, text)
      open.push(next)
    }
  }
  return []
}

// Bounds the cost of a write. The planner finds cycles that are longer.
const mostVisited = 10_000

async function targetsAt(ref: ResourceRef, reader: EstateReader): Promise<ResourceRef[]> {
  if (ref.group === 'hykube.io') {
    const object = await reader.configuration(ref)
    return object === undefined ? [] : targetsOfConfiguration(ref, object, reader)
  }
  const object = await reader.object(ref)
  return object === undefined ? [] : targetsOfObject(object, reader)
}

function targetsOf(referring: Referring, references: readonly Reference[], { kinds }: EstateReader): ResourceRef[] {
  return resolveReferences(referring, references, kinds)
    .targets.filter(({ kind }) => kind !== undefined)
    .map((target) => target.ref)
}

function pathTo(own: string, from: ReadonlyMap<string, string>): string {
  const path = [own]
  for (let at = from.get(own); at !== undefined && at !== own; at = from.get(at)) path.push(at)
  path.push(own)
  return path
    .reverse()
    .map((text) => text.split('/').slice(1).join('/'))
    .join(' → ')
}

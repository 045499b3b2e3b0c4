import type { StateResource } from './state-file.ts'
import { moduleSteps } from './state-names.ts'

/** A resource with its dependencies. */
export interface OrderedResource {
  readonly resource: StateResource
  /** Without dependencies that another dependency has itself. */
  readonly direct: readonly StateResource[]
  readonly all: readonly StateResource[]
}

/** Groups resources so that each depends only on resources of earlier groups. */
export function inWaves(resources: readonly StateResource[]): readonly (readonly OrderedResource[])[] {
  const needs = new Map<StateResource, readonly StateResource[]>()
  const byAddress = new Map<string, Map<string, StateResource[]>>()
  for (const resource of resources) {
    const ofFile = byAddress.get(resource.file) ?? new Map<string, StateResource[]>()
    byAddress.set(resource.file, ofFile)
    const address = configurationAddress(resource)
    ofFile.set(address, [...(ofFile.get(address) ?? []), resource])
  }
  for (const resource of resources)
    needs.set(
      resource,
      resource.dependencies.flatMap((address) =>
        (byAddress.get(resource.file)?.get(address) ?? []).filter(
          (other) => other !== resource && isMeant(resource, other),
        ),
      ),
    )
  const placed = new Set<StateResource>()
  const waves: OrderedResource[][] = []
  for (let left = resources; left.length > 0; left = left.filter((each) => !placed.has(each))) {
    const free = left.filter((each) => needs.get(each)!.every((other) => placed.has(other)))
    // A valid state has no cycles. The members of one form a group.
    const wave = free.length > 0 ? free : left
    waves.push(wave.map((each) => ordered(each, needs)))
    for (const each of wave) placed.add(each)
  }
  return waves
}

function ordered(
  resource: StateResource,
  needs: ReadonlyMap<StateResource, readonly StateResource[]>,
): OrderedResource {
  const all = needs.get(resource)!
  const further = new Set(all.flatMap((each) => needs.get(each)!))
  return { resource, all, direct: all.filter((each) => !further.has(each)) }
}

function configurationAddress({ module, type, name }: StateResource): string {
  const steps = moduleSteps(module).map((step) => `module.${step.name}`)
  return [...steps, type, name].join('.')
}

// Dependencies have no module keys. In a module that contains both resources, the same instance is meant.
function isMeant({ module }: StateResource, other: StateResource): boolean {
  const own = moduleSteps(module)
  for (const [i, step] of moduleSteps(other.module).entries()) {
    if (own[i]?.name !== step.name) return true
    if (own[i]?.key !== step.key) return false
  }
  return true
}

import type { Scenario } from '../scenario.ts'

interface Shown {
  readonly address: string
  readonly generation: number
  readonly observedGeneration: number | undefined
  readonly instances: { readonly total: number; readonly ready: number } | undefined
  readonly attributes: object | undefined
  /** Each as `True/Applied`. */
  readonly conditions: Readonly<Record<string, string>>
  readonly known: number
  readonly isBatch: boolean
  readonly isDeleting: boolean
}

interface ShownCondition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
}

/** The status of an object in short form. */
export async function shownStatus(s: Scenario, address: string): Promise<Shown> {
  const { metadata, spec, status } = await s.read(address)
  return {
    address,
    generation: metadata.generation,
    observedGeneration: status.observedGeneration,
    instances: status.instances,
    attributes: status.attributes,
    conditions: Object.fromEntries(
      status.conditions.map(({ type, status: is, reason }: ShownCondition) => [type, `${is}/${reason}`]),
    ),
    known: (await s.instances(address)).length,
    isBatch: spec.count != null || spec.for_each != null,
    isDeleting: metadata.deletionTimestamp !== undefined,
  }
}

export async function conditionOf(s: Scenario, address: string, type: string): Promise<ShownCondition> {
  const { conditions } = (await s.read(address)).status as { readonly conditions: readonly ShownCondition[] }
  return conditions.find((each) => each.type === type)!
}

/** Finds inconsistent statuses in a state without pending changes. */
export async function settledProblems(s: Scenario): Promise<string[]> {
  const problems: string[] = []
  for (const address of await addressesIn(s)) {
    const shown = await shownStatus(s, address)
    const { conditions, generation, observedGeneration, instances, attributes, known, isBatch } = shown
    if (shown.isDeleting || conditions.Stalled?.startsWith('True')) continue
    const told = JSON.stringify({ conditions, generation, observedGeneration, instances, known })
    for (const type of ['Ready', 'Applied'])
      if (!conditions[type]?.startsWith('True/')) problems.push(`${address} is not ${type}: ${told}`)
    if (observedGeneration !== generation) problems.push(`${address} was not observed: ${told}`)
    if (isBatch && (instances?.ready !== known || instances.total !== known))
      problems.push(`${address} counts wrong: ${told}`)
    if (isBatch === (attributes !== undefined)) problems.push(`${address} shows attributes of one: ${told}`)
    if (!isBatch && instances !== undefined) problems.push(`${address} counts instances: ${told}`)
  }
  return problems
}

/** Objects that claim that a generation was applied which was not. */
export async function pendingProblems(s: Scenario): Promise<string[]> {
  const problems: string[] = []
  for (const address of await addressesIn(s)) {
    const { conditions, generation, observedGeneration, isDeleting } = await shownStatus(s, address)
    if (!isDeleting && conditions.Applied?.startsWith('True/') && observedGeneration !== generation)
      problems.push(`${address} claims that ${generation} was applied, but ${observedGeneration} was observed`)
  }
  return problems
}

async function addressesIn(s: Scenario): Promise<string[]> {
  const found: string[] = []
  for (const [group, plural, type] of kinds) {
    const { document } = await s.engine.api.get(`/apis/${group}/v1/namespaces/default/${plural}`)
    for (const { metadata } of document.items) found.push(`${type}.${metadata.name}`)
  }
  return found
}

const kinds = [
  ['sim.hykube.io', 'sim-networks', 'sim_network'],
  ['sim.hykube.io', 'sim-subnets', 'sim_subnet'],
  ['sim.hykube.io', 'sim-buckets', 'sim_bucket'],
  ['sim.hykube.io', 'sim-instances', 'sim_instance'],
  ['sim.hykube.io', 'sim-nulls', 'sim_null'],
  ['data.sim.hykube.io', 'sim-image', 'data.sim_image'],
] as const

import { addressToText } from '@hykube/machinery/object'
import { finalPhases, type PlanPhase } from '@hykube/machinery/plan-api'
import type { Connection } from '../host/host.ts'
import { plans } from '../plans/plan-api.ts'
import { providerKinds } from './provider-kinds.ts'

/** A completion with its description. */
export interface Candidate {
  readonly word: string
  readonly about?: string
}

/** The names of plans that are not finished, with their phases. */
export async function planCandidates({ client, namespace }: Connection): Promise<readonly Candidate[]> {
  const { items } = await client.list({ ...plans, namespace }, { limit: 500 })
  return items.flatMap(({ metadata, status }) => {
    const { phase = 'Pending' } = (status ?? {}) as { phase?: PlanPhase }
    return metadata?.name === undefined || finalPhases.has(phase) ? [] : [{ word: metadata.name, about: phase }]
  })
}

/** The addresses of resources, at most 200 of each kind. */
export async function addressCandidates({ client, namespace }: Connection): Promise<readonly Candidate[]> {
  const lists = (await providerKinds(client)).map(async ({ group, version, resource, data, type }) => {
    const { items } = await client.list({ group, version, resource, namespace }, { form: 'metadata', limit: 200 })
    return items.map(({ metadata }) => ({ word: addressToText({ data, type, name: metadata?.name ?? '' }) }))
  })
  return (await Promise.all(lists)).flat()
}

/** The names of namespaces. */
export async function namespaceCandidates({ client }: Connection): Promise<readonly Candidate[]> {
  const { items } = await client.list({ group: '', version: 'v1', resource: 'namespaces' }, { form: 'metadata' })
  return items.map(({ metadata }) => ({ word: metadata?.name ?? '' }))
}

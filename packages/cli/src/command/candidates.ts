import { addressToText } from './address.ts'
import type { Connection } from './host.ts'
import { plans } from './plan-api.ts'
import { providerKinds } from './provider-kinds.ts'

/** A word that completion offers, and what it says of it. */
export interface Candidate {
  readonly word: string
  readonly about?: string
}

/** The names of plans, with their phases. */
export async function planCandidates({ client, namespace }: Connection): Promise<readonly Candidate[]> {
  const { items } = await client.list({ ...plans, namespace }, { limit: 500 })
  return items.flatMap(({ metadata, status }) => {
    const phase = (status as { phase?: string } | undefined)?.phase
    return metadata?.name === undefined ? [] : [{ word: metadata.name, ...(phase !== undefined && { about: phase }) }]
  })
}

/** The addresses of resources, some of each kind. */
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

import { similarName } from '@hykube/machinery/base'
import type { ResourceAddress } from '@hykube/machinery/object'
import type { ApiResource, Client } from '@hykube/runtime/client'
import { CommandError, UsageError } from '../host/failure.ts'
import { addressFromText } from './address.ts'
import { locate } from './provider-kinds.ts'

/** A resource type and names in it; all objects of the type when there are no names. */
export interface NamedObjects {
  readonly kind: ApiResource
  readonly namespace: string
  readonly names: readonly string[]
}

/** Reads `TYPE [NAME…]`, `TYPE/NAME…` and addresses such as `sim_network.main`. */
export async function namedObjects(
  client: Client,
  words: readonly string[],
  namespace: string,
): Promise<readonly NamedObjects[]> {
  const [first = '', ...names] = words
  const addresses = words.map(typedAddress)
  if (addresses.every((each) => each !== undefined))
    return Promise.all(
      addresses.map(async (address) => {
        const { kind, name, namespace: home = namespace } = await locate(client, address, namespace)
        return { kind, namespace: home, names: [name] }
      }),
    )
  const { resources } = await client.discover()
  if (!first.includes('/')) return [{ kind: kindNamed(resources, first), namespace, names }]
  return words.map((word) => {
    const [type = '', name = ''] = word.split('/')
    if (name === '') throw new UsageError(`${word}: expected TYPE/NAME`)
    return { kind: kindNamed(resources, type), namespace, names: [name] }
  })
}

// Types of providers contain an underscore, which names of Kubernetes resources never do: `deployments.apps` is no address.
function typedAddress(word: string): ResourceAddress | undefined {
  const address = addressFromText(word)
  if (address?.key !== undefined)
    throw new UsageError(`${word} is an instance; use the address of its resource, without the index`)
  return address?.type.includes('_') ? address : undefined
}

/** Finds a type by its plural, singular, short name or kind, optionally followed by its group. */
function kindNamed(resources: readonly ApiResource[], word: string): ApiResource {
  const dot = word.includes('.') ? word.indexOf('.') : word.length
  const group = word.slice(dot + 1)
  const found = resources.find(
    (each) =>
      each.preferred &&
      (group === '' || each.group === group || each.group.startsWith(`${group}.`)) &&
      namesOf(each).includes(plain(word.slice(0, dot))),
  )
  if (found !== undefined) return found
  const near = similarName(word, [...new Set(resources.map(({ resource }) => resource))])
  throw new CommandError(
    `the server has no resource type ${JSON.stringify(word)}`,
    ...(near === undefined ? [] : [`Did you mean ${near}?`]),
  )
}

function namesOf({ resource, singular = '', kind, shortNames = [] }: ApiResource): string[] {
  return [resource, singular, kind, ...shortNames].map(plain)
}

// `SimNetwork`, `sim_network` and `sim-network` are the same type.
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '')
}

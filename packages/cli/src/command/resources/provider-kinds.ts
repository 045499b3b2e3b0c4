import { similarName } from '@hykube/machinery/base'
import { addressToText, type ResourceAddress } from '@hykube/machinery/object'
import { type ApiResource, type Client, failedWith, type ObjectAt, type Stored } from '@hykube/runtime/client'
import { CommandError } from '../host/failure.ts'

/** A kind of a provider, with the names in the API and in the provider. */
export interface ProviderKind extends ApiResource {
  /** The name of the Provider. */
  readonly provider: string
  readonly data: boolean
  /** The provider's name of the type, such as `sim_network`. */
  readonly type: string
}

/** The kinds of all installed providers. */
export async function providerKinds(client: Client): Promise<readonly ProviderKind[]> {
  const { resources } = await client.discover()
  return resources.flatMap((each) => {
    const match = providerGroup.exec(each.group)
    // `Resource` lists the objects of all kinds of a group once more.
    if (match === null || each.kind === 'Resource') return []
    return [{ ...each, provider: match[2]!, data: match[1] !== undefined, type: typeOf(each) }]
  })
}

/** The provider's name of a type: the singular with underscores, or derived from the kind where there is no singular. */
export function typeOf({ kind, singular }: Pick<ApiResource, 'kind' | 'singular'>): string {
  if (singular !== undefined && singular !== '') return singular.replaceAll('-', '_')
  return kind.replace(/(?!^)([A-Z])/g, '_$1').toLowerCase()
}

/** The name of the Provider of a group; empty for other groups. */
export function providerOf(group: string): string {
  return providerGroup.exec(group)?.[2] ?? ''
}

export function isProviderGroup(group: string): boolean {
  return providerGroup.test(group)
}

const providerGroup = /^(data\.)?([^.]+)\.hykube\.io$/

/** The place of the object of an address; `namespace` is used when the address has none. */
export async function locate(
  client: Client,
  address: ResourceAddress,
  namespace: string,
): Promise<ObjectAt & { readonly kind: ProviderKind }> {
  const kinds = await providerKinds(client)
  const named = kinds.filter(
    ({ type, data, provider }) =>
      data === address.data && type === address.type && (address.provider ?? provider) === provider,
  )
  const [kind, other] = named
  if (kind === undefined) throw unknownType(address, kinds)
  if (other !== undefined)
    throw new CommandError(
      `${address.type} is a type of several providers: ${named.map(({ provider }) => provider).join(', ')}`,
      `Choose one:  provider[${JSON.stringify(kind.provider)}].${addressToText(address)}`,
    )
  const { group, version, resource } = kind
  return { group, version, resource, namespace: address.namespace ?? namespace, name: address.name, kind }
}

/** The object of an address. The failure for a missing object suggests a similar one. */
export async function getResource(client: Client, at: ObjectAt & { readonly kind: ProviderKind }): Promise<Stored> {
  try {
    return await client.get(at)
  } catch (error) {
    if (!failedWith(error, 'NotFound')) throw error
    const { group, version, resource, namespace } = at
    const { items } = await client.list({ group, version, resource, namespace }, { form: 'metadata', limit: 500 })
    const names = items.flatMap(({ metadata }) => metadata?.name ?? [])
    const near = similarName(at.name, names)
    throw new CommandError(
      `${at.kind.type}.${at.name} does not exist in namespace ${at.namespace}`,
      ...(near === undefined ? [] : [`Did you mean ${at.kind.type}.${near}?`]),
      `List all:  hykube get ${at.resource} -n ${at.namespace}`,
    )
  }
}

function unknownType(address: ResourceAddress, kinds: readonly ProviderKind[]): CommandError {
  const known = [...new Set(kinds.filter(({ data }) => data === address.data).map(({ type }) => type))]
  const near = similarName(address.type, known)
  return new CommandError(
    `no installed provider has the ${address.data ? 'data source' : 'type'} ${address.type}`,
    ...(near === undefined ? [] : [`Did you mean ${near}?`]),
    'List all types:  hykube providers types',
  )
}

import { type ApiResource, type Client, failedWith, type ObjectAt, type Stored } from '@hykube/runtime/client'
import { type Address, addressToText } from './address.ts'
import { CommandError } from './failure.ts'
import { closest } from './suggestion.ts'

/** A kind of a provider: what the API calls it, and what the provider does. */
export interface ProviderKind extends ApiResource {
  /** The name of the Provider. */
  readonly provider: string
  readonly data: boolean
  /** The provider's own name of the type, as `sim_network`. */
  readonly type: string
}

/** The kinds of all providers of a server. */
export async function providerKinds(client: Client): Promise<readonly ProviderKind[]> {
  const { resources } = await client.discover()
  return resources.flatMap((each) => {
    const match = providerGroup.exec(each.group)
    if (match === null) return []
    return [{ ...each, provider: match[2]!, data: match[1] !== undefined, type: typeOf(each) }]
  })
}

/** The provider's own name of a kind's type: the singular with underlines; where that is not told, the words of the kind. */
export function typeOf({ kind, singular }: Pick<ApiResource, 'kind' | 'singular'>): string {
  if (singular !== undefined && singular !== '') return singular.replaceAll('-', '_')
  return kind.replace(/(?!^)([A-Z])/g, '_$1').toLowerCase()
}

/** The name of the Provider whose resources or data sources a group holds. */
export function providerOf(group: string): string {
  return providerGroup.exec(group)?.[2] ?? ''
}

/** Whether a group is that of a provider's resources or data sources. */
export function isProviderGroup(group: string): boolean {
  return providerGroup.test(group)
}

const providerGroup = /^(data\.)?([^.]+)\.hykube\.io$/

/** Where the object of an address is. `namespace` is for addresses that name none. */
export async function locate(
  client: Client,
  address: Address,
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
      `Say which:  provider[${JSON.stringify(kind.provider)}].${addressToText(address)}`,
    )
  const { group, version, resource } = kind
  return { group, version, resource, namespace: address.namespace ?? namespace, name: address.name, kind }
}

/** The object of an address; a failure that names what looks like it when there is none. */
export async function getResource(client: Client, at: ObjectAt & { readonly kind: ProviderKind }): Promise<Stored> {
  try {
    return await client.get(at)
  } catch (error) {
    if (!failedWith(error, 'NotFound')) throw error
    const { group, version, resource, namespace } = at
    const { items } = await client.list({ group, version, resource, namespace }, { form: 'metadata', limit: 500 })
    const names = items.flatMap(({ metadata }) => metadata?.name ?? [])
    const near = closest(at.name, names)
    throw new CommandError(
      `there is no ${at.kind.type} ${JSON.stringify(at.name)} in namespace ${JSON.stringify(at.namespace)}`,
      ...(near === undefined ? [] : [`Did you mean ${at.kind.type}.${near}?`]),
      `See all:  kubectl get ${at.resource} -n ${at.namespace}`,
    )
  }
}

function unknownType(address: Address, kinds: readonly ProviderKind[]): CommandError {
  const known = [...new Set(kinds.filter(({ data }) => data === address.data).map(({ type }) => type))]
  const near = closest(address.type, known)
  return new CommandError(
    `no installed provider has the ${address.data ? 'data source' : 'type'} ${address.type}`,
    ...(near === undefined ? [] : [`Did you mean ${near}?`]),
    'See what is installed:  hykube providers types',
  )
}

import type { ObjectAt } from '@hykube/runtime/client'
import type { ProviderKind } from '../resources/provider-kinds.ts'
import type { StateAnswer } from './state-api.ts'
import type { StateProvider, StateResource } from './state-file.ts'

/** The object that a resource of a state file becomes. */
export interface StateTarget {
  readonly at: ObjectAt
  /** The ProviderConfig; empty for the Provider's own configuration. */
  readonly configuration: string
}

/** The object of a resource: of the only Provider that has its type, or of the chosen one. Otherwise why there is none. */
export function targetOf(
  resource: StateResource,
  kinds: readonly ProviderKind[],
  choices: ReadonlyMap<string, string>,
  namespace: string,
  name: string,
): StateTarget | Extract<StateAnswer, { readonly message: string }> {
  const { type, provider } = resource
  if (provider.source === builtIn) return { kind: 'skipped', message: 'it exists only in Terraform' }
  const [chosen, configuration = provider.alias] = chosenFor(provider, choices)?.split('/') ?? []
  const having = kinds.filter((kind) => !kind.data && kind.type === type)
  const [kind, other] = having.filter((each) => chosen === undefined || each.provider === chosen)
  if (kind === undefined) {
    const install = `install it with: hykube providers install ${shortSource(provider)}`
    const message = chosen === undefined ? `no Provider has the type ${type}` : `Provider ${chosen} lacks ${type}`
    return { kind: 'refused', message: `${message}; ${install}` }
  }
  if (other !== undefined) {
    const names = having.map((each) => each.provider).join(', ')
    const choose = `choose one: --provider ${shortName(provider)}=${kind.provider}`
    return { kind: 'refused', message: `several Providers have the type ${type}: ${names}; ${choose}` }
  }
  const { group, version, resource: plural } = kind
  return { at: { group, version, resource: plural, namespace, name }, configuration }
}

// `aws.west` is preferred to `aws`. Short and full sources are accepted too.
function chosenFor(provider: StateProvider, choices: ReadonlyMap<string, string>): string | undefined {
  const names = [provider.source, provider.source.split('/').slice(-2).join('/'), shortName(provider)]
  const withAlias = provider.alias === '' ? [] : names.map((each) => `${each}.${provider.alias}`)
  for (const name of [...withAlias, ...names]) if (choices.has(name)) return choices.get(name)
  return undefined
}

function shortName({ source }: StateProvider): string {
  return source.split('/').at(-1) ?? ''
}

function shortSource({ source }: StateProvider): string {
  return source.replace(/^registry\.(terraform\.io|opentofu\.org)\//, '')
}

// The provider of `terraform_data`.
const builtIn = 'terraform.io/builtin/terraform'

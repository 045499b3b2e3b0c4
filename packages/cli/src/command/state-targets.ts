import type { ObjectAt } from '@hykube/runtime/client'
import { CommandError } from './failure.ts'
import type { ProviderKind } from './provider-kinds.ts'
import { type StateProvider, type StateResource, stateAddress } from './state-file.ts'

/** What a resource of a state file becomes. */
export interface StateTarget {
  readonly at: ObjectAt
  /** The ProviderConfig; empty for the Provider's own configuration. */
  readonly configuration: string
}

/** Where a resource goes: to the only Provider that has its type, or to the one that was chosen. */
export function targetOf(
  resource: StateResource,
  kinds: readonly ProviderKind[],
  choices: ReadonlyMap<string, string>,
  namespace: string,
  name: string,
): StateTarget {
  const { type, provider } = resource
  const [chosen, configuration = provider.alias] = chosenFor(provider, choices)?.split('/') ?? []
  const fitting = kinds.filter(
    (kind) => !kind.data && kind.type === type && (chosen === undefined || kind.provider === chosen),
  )
  const [kind, other] = fitting
  if (kind === undefined)
    throw new CommandError(
      `${stateAddress(resource)}: ${chosen === undefined ? 'no Provider' : `Provider ${JSON.stringify(chosen)} is not there, or it`} ${chosen === undefined ? 'has' : 'lacks'} the type ${type}`,
      `Install it first:  hykube providers install NAME ${provider.source}`,
    )
  if (other !== undefined)
    throw new CommandError(
      `${type} is a type of several providers: ${fitting.map((each) => each.provider).join(', ')}`,
      `Say which:  --provider ${shortName(provider)}=${kind.provider}`,
    )
  const { group, version, resource: plural } = kind
  return { at: { group, version, resource: plural, namespace, name }, configuration }
}

// `aws.west` comes before `aws`; a source in full does as well.
function chosenFor(provider: StateProvider, choices: ReadonlyMap<string, string>): string | undefined {
  const names = [provider.source, provider.source.split('/').slice(-2).join('/'), shortName(provider)]
  const withAlias = provider.alias === '' ? [] : names.map((each) => `${each}.${provider.alias}`)
  for (const name of [...withAlias, ...names]) if (choices.has(name)) return choices.get(name)
  return undefined
}

function shortName({ source }: StateProvider): string {
  return source.split('/').at(-1) ?? ''
}

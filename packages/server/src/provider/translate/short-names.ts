import type { ProviderKind } from './provider-kind.ts'

/**
 * The names besides plural and singular under which kubectl finds the kinds of a provider: for `aws_vpc` the type's own name,
 * `AwsVpc`, `awsvpc` and `awsvpcs`. (kubectl finds a kind by `AwsVpc` only where the singular is `awsvpc`.)
 *
 * kubectl looks at short names first, so a short name that is another kind's name would hide that kind. Plurals and singulars
 * are never used, nor what `isTaken`, in lower case, by kinds that are not the provider's. Of two kinds that could have a name
 * the first in this order has it: managed ones by type and kind, managed ones by plural, data sources.
 */
export function shortNamesOf(
  kinds: readonly ProviderKind[],
  isTaken: (name: string) => boolean,
): ReadonlyMap<ProviderKind, readonly string[]> {
  const used = new Set(kinds.flatMap(({ names }) => [names.plural, names.singular]))
  const given = new Map(kinds.map((kind) => [kind, [] as string[]]))
  const give = (kind: ProviderKind, name: string): void => {
    if (used.has(name) || isTaken(name.toLowerCase())) return
    used.add(name)
    given.get(kind)!.push(name)
  }
  const [managed, data] = [kinds.filter(({ mode }) => mode === 'managed'), kinds.filter(({ mode }) => mode === 'data')]
  for (const kind of managed) for (const name of ownNames(kind)) give(kind, name)
  for (const kind of managed) give(kind, kind.names.plural.replaceAll('-', ''))
  for (const kind of data) for (const name of ownNames(kind)) give(kind, name)
  return given
}

function ownNames({ type, names }: ProviderKind): readonly string[] {
  return [type, names.kind, names.kind.toLowerCase()]
}

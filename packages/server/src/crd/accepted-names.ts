import type { Definition, DefinitionNames } from './definition.ts'

/** Names granted to a definition, and the conflict if not all requested names were free. */
export interface NamesDecision {
  readonly names: DefinitionNames
  readonly conflict: { readonly reason: string; readonly message: string } | undefined
}

/** Decides on the names of a definition next to others of its group. Names accepted earlier are kept. */
export function decideNames({ spec, status }: Definition, others: readonly Definition[]): NamesDecision {
  const inGroup = others.flatMap((other) => (other.spec.group === spec.group ? [other.status?.acceptedNames] : []))
  const resources = new Set(inGroup.flatMap((names) => [names?.plural, names?.singular, ...(names?.shortNames ?? [])]))
  const kinds = new Set(inGroup.flatMap((names) => [names?.kind, names?.listKind]))
  const accepted: Partial<DefinitionNames> = status?.acceptedNames ?? {}
  const wanted = spec.names
  let conflict: NamesDecision['conflict']
  const take = (field: 'plural' | 'singular' | 'kind' | 'listKind', used: ReadonlySet<unknown>): string => {
    const name = wanted[field] ?? ''
    if (name === accepted[field] || !used.has(name)) return name
    conflict = { reason: `${field[0]!.toUpperCase()}${field.slice(1)}Conflict`, message: inUse([name]) }
    return accepted[field] ?? ''
  }
  const plural = take('plural', resources)
  const singular = take('singular', resources)
  const taken = (wanted.shortNames ?? []).filter((name) => !accepted.shortNames?.includes(name) && resources.has(name))
  if (taken.length > 0) conflict = { reason: 'ShortNamesConflict', message: inUse(taken) }
  const shortNames = taken.length > 0 ? accepted.shortNames : wanted.shortNames
  const kind = take('kind', kinds)
  const listKind = take('listKind', kinds)
  const names = {
    plural,
    singular,
    ...(shortNames !== undefined && { shortNames }),
    kind,
    listKind,
    ...(wanted.categories !== undefined && { categories: wanted.categories }),
  }
  return { names, conflict }
}

function inUse(names: readonly string[]): string {
  const messages = names.map((name) => `${JSON.stringify(name)} is already in use`)
  return messages.length === 1 ? messages[0]! : `[${messages.join(', ')}]`
}

import { createHash } from 'node:crypto'
import type { ResourceNames } from '@hykube/machinery/resource-type'

/** The names of a kind that are derived from the provider's type name. */
export type KindNames = Pick<ResourceNames, 'plural' | 'singular' | 'kind' | 'listKind'>

/** `managed`: a resource type; `data`: a data source, which is only read. */
export type KindMode = 'managed' | 'data'

/** The API group of a provider's kinds. */
export function kindGroup(provider: string, mode: KindMode): string {
  return mode === 'data' ? `data.${provider}.hykube.io` : `${provider}.hykube.io`
}

/**
 * Assigns names to all types of a group. Previously served names (`taken`) stay, and stay reserved after their types are gone.
 * If two types would share a name, the later one in byte order gets the suffix `-2` on all its names, a third one `-3`.
 */
export function nameKinds(
  types: Iterable<string>,
  mode: KindMode,
  taken: ReadonlyMap<string, KindNames> = new Map(),
): ReadonlyMap<string, KindNames> {
  const used = new UsedNames(taken.values())
  const named = new Map<string, KindNames>()
  for (const type of [...types].sort(byBytes)) {
    const names = taken.get(type) ?? used.firstFree(type, mode)
    named.set(type, names)
    used.add(names)
  }
  return named
}

/** The names of a type. `place` is its rank among types that would have the same names. */
export function kindNames(type: string, mode: KindMode, place = 1): KindNames {
  const hash = createHash('sha256').update(type).digest('hex').slice(0, 8)
  const singular = labelOf(type) || `type-${hash}`
  const number = place === 1 ? '' : String(place)
  const ending = place === 1 ? '' : `-${place}`
  const name = (whole: string) => shortened(whole, `-${hash}`, ending, longestName)
  const words = singular.split('-').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  const kind = shortened(words.join(''), hash, number, longestName - 'List'.length)
  return {
    plural: name(mode === 'data' ? singular : pluralOf(singular)),
    singular: name(singular),
    kind,
    listKind: `${kind}List`,
  }
}

/**
 * The plural of a name by the rules of Kubernetes' code generators: `es` after s, x, z, ch and sh, `ies` for a y after a
 * consonant, `s` otherwise. Their `ves` for f is left out, because an f at the end of a type name ends an abbreviation. The
 * rules must never change: plurals are part of stored keys and URLs.
 */
export function pluralOf(singular: string): string {
  if (/(?:[sxz]|[cs]h)$/.test(singular)) return `${singular}es`
  return /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`
}

// Type names of providers are arbitrary, but resource names must be DNS labels.
function labelOf(type: string): string {
  return type
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .replace(/^[-0-9]+|-+$/g, '')
}

// The length of a DNS label.
const longestName = 63

function shortened(name: string, mark: string, ending: string, longest: number): string {
  const whole = `${name}${ending}`
  if (whole.length <= longest) return whole
  const end = `${mark}${ending}`
  return `${name.slice(0, longest - end.length)}${end}`
}

// Type names are ASCII, so comparing code units compares bytes.
function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * The names in use in a group. Clients look up resources by plural or singular and objects by kind, all without regard to
 * case.
 */
class UsedNames {
  readonly #resources = new Set<string>()
  readonly #kinds = new Set<string>()

  constructor(taken: Iterable<KindNames>) {
    for (const names of taken) this.add(names)
  }

  add({ plural, singular, kind, listKind }: KindNames): void {
    this.#resources.add(plural).add(singular)
    this.#kinds.add(kind.toLowerCase()).add(listKind.toLowerCase())
  }

  firstFree(type: string, mode: KindMode): KindNames {
    for (let place = 1; ; place++) {
      const names = kindNames(type, mode, place)
      if (this.#isFree(names)) return names
    }
  }

  #isFree({ plural, singular, kind, listKind }: KindNames): boolean {
    return (
      !this.#resources.has(plural) &&
      !this.#resources.has(singular) &&
      !this.#kinds.has(kind.toLowerCase()) &&
      !this.#kinds.has(listKind.toLowerCase())
    )
  }
}

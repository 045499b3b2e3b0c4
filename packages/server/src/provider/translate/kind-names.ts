import { createHash } from 'node:crypto'
import type { ResourceNames } from '@hykube/machinery/resource-type'

/** The names of a kind that come from its type's name. */
export type KindNames = Pick<ResourceNames, 'plural' | 'singular' | 'kind' | 'listKind'>

/** Whether a type is managed (created, changed, destroyed) or only read. */
export type KindMode = 'managed' | 'data'

/** The API group of a provider's kinds. */
export function kindGroup(provider: string, mode: KindMode): string {
  return mode === 'data' ? `data.${provider}.hykube.io` : `${provider}.hykube.io`
}

/**
 * The names of all types of a group, by type. Names that were served before stay, and their types need not be there any
 * more to keep them. Where two types would have a name in common, the later one in byte order gets `-2` on all its names,
 * a third one `-3`.
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

/** The names of a type; `place` tells which one it is among those that would have the same. */
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
 * The plural of a name, as Kubernetes' code generators make it: `es` after s, x, z, ch and sh, `ies` for a y behind a
 * consonant, `s` otherwise. (Their `ves` for f is left out: in names of types an f ends an abbreviation.) It never changes.
 */
export function pluralOf(singular: string): string {
  if (/(?:[sxz]|[cs]h)$/.test(singular)) return `${singular}es`
  return /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`
}

// Providers may call their types what they like; the API wants labels of DNS.
function labelOf(type: string): string {
  return type
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .replace(/^[-0-9]+|-+$/g, '')
}

// A label of DNS.
const longestName = 63

function shortened(name: string, mark: string, ending: string, longest: number): string {
  const whole = `${name}${ending}`
  if (whole.length <= longest) return whole
  const end = `${mark}${ending}`
  return `${name.slice(0, longest - end.length)}${end}`
}

// The names of types are ASCII, where the order of code units is that of bytes.
function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * What is taken in a group. A resource is found by plural or singular, an object by kind, and clients look at neither's
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

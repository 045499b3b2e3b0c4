import {
  Decimal,
  isList,
  isUnknown,
  type Path,
  type PathStep,
  startsWithPath,
  Typed,
  type Value,
} from '@hykube/tfplugin/value'

/** An error of a provider at a path of a value. The text is written for provider authors. */
export interface Problem {
  readonly path: Path
  readonly text: string
}

/** Collects the problems of one value. Problems at paths that the schema or the caller marks as sensitive don't show values. */
export class Problems {
  readonly found: Problem[] = []
  readonly #sensitive: readonly Path[]

  constructor(sensitive: readonly Path[] = []) {
    this.#sensitive = sensitive
  }

  add(at: PathChain, text: string): undefined {
    this.found.push({ path: pathTo(at), text })
  }

  /** Adds a problem that shows values: `text` gets them formatted; `vague` is used at sensitive paths. */
  addValues(
    at: PathChain,
    text: (shown: readonly string[]) => string,
    vague: string,
    values: readonly Value[],
  ): undefined {
    this.add(at, at?.sensitive === true || this.#isSensitive(at) ? vague : text(values.map(shown)))
  }

  #isSensitive(at: PathChain): boolean {
    if (this.#sensitive.length === 0) return false
    const path = pathTo(at)
    return this.#sensitive.some((other) => startsWithPath(path, other) || startsWithPath(other, path))
  }
}

/** A path as a linked list from the innermost step outwards, so that each descent allocates one object and copies nothing. */
export type PathChain = { readonly step: PathStep; readonly within: PathChain; readonly sensitive: boolean } | undefined

export function chainIn(within: PathChain, step: PathStep, sensitive = false): PathChain {
  return { step, within, sensitive: sensitive || within?.sensitive === true }
}

function pathTo(place: PathChain): Path {
  const steps: PathStep[] = []
  for (let at = place; at !== undefined; at = at.within) steps.push(at.step)
  return steps.reverse()
}

function shown(value: Value): string {
  if (value === null) return 'null'
  if (isUnknown(value)) return 'an unknown value'
  if (typeof value === 'string') return JSON.stringify(value.length > longest ? `${value.slice(0, longest)}…` : value)
  if (typeof value === 'boolean' || value instanceof Decimal) return String(value)
  if (value instanceof Typed) return shown(value.value)
  return isList(value) ? `${value.length} elements` : 'an object'
}

// Characters of a string that a message shows.
const longest = 80

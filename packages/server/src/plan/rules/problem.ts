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

/** Something that a provider did wrong, at a place in a value. The text says what, in the words of provider authors. */
export interface Problem {
  readonly path: Path
  readonly text: string
}

/** Collects the problems of one value. Places that the schema or these paths call sensitive are told without values. */
export class Problems {
  readonly found: Problem[] = []
  readonly #sensitive: readonly Path[]

  constructor(sensitive: readonly Path[] = []) {
    this.#sensitive = sensitive
  }

  add(at: Place, text: string): undefined {
    this.found.push({ path: pathTo(at), text })
  }

  /** Tells a problem with the values of it: `text` gets them as they may be shown. */
  addValues(at: Place, text: (shown: readonly string[]) => string, vague: string, values: readonly Value[]): undefined {
    this.add(at, at?.sensitive === true || this.#isSensitive(at) ? vague : text(values.map(shown)))
  }

  #isSensitive(at: Place): boolean {
    if (this.#sensitive.length === 0) return false
    const path = pathTo(at)
    return this.#sensitive.some((place) => startsWithPath(path, place) || startsWithPath(place, path))
  }
}

/** A place as a chain of steps outwards, so that going down costs one small object and no copies. */
export type Place = { readonly step: PathStep; readonly within: Place; readonly sensitive: boolean } | undefined

export function placeIn(within: Place, step: PathStep, sensitive = false): Place {
  return { step, within, sensitive: sensitive || within?.sensitive === true }
}

function pathTo(place: Place): Path {
  const steps: PathStep[] = []
  for (let at = place; at !== undefined; at = at.within) steps.push(at.step)
  return steps.reverse()
}

function shown(value: Value): string {
  if (value === null) return 'null'
  if (isUnknown(value)) return 'a value not known yet'
  if (typeof value === 'string') return JSON.stringify(value.length > longest ? `${value.slice(0, longest)}…` : value)
  if (typeof value === 'boolean' || value instanceof Decimal) return String(value)
  if (value instanceof Typed) return shown(value.value)
  return isList(value) ? `${value.length} elements` : 'an object'
}

const longest = 80

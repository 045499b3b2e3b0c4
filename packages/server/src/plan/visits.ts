import type { NodeOutcome } from './node-outcome.ts'
import { type NodePlace, nodeToText } from './vocabulary/place.ts'

/**
 * Looks at every object once, however many ask for it. An object may wait for another one, and for one at a time: so whoever
 * would wait for itself in the end is found by going from one to the next.
 */
export class Visits {
  readonly #visit: (place: NodePlace, text: string) => Promise<NodeOutcome>
  readonly #again: (place: NodePlace, kind: 'unchanged' | 'changed') => NodeOutcome
  readonly #outcomes = new Map<string, Promise<NodeOutcome> | NodeOutcome | 'unchanged' | 'changed'>()
  readonly #waitsFor = new Map<string, string>()

  constructor(
    visit: (place: NodePlace, text: string) => Promise<NodeOutcome>,
    again: (place: NodePlace, kind: 'unchanged' | 'changed') => NodeOutcome,
  ) {
    this.#visit = visit
    this.#again = again
  }

  /** How many objects were looked at. */
  get size(): number {
    return this.#outcomes.size
  }

  /** The outcome for an object. */
  of(place: NodePlace): Promise<NodeOutcome> | NodeOutcome {
    const text = nodeToText(place)
    const known = this.#outcomes.get(text)
    if (typeof known === 'string') return this.#again(place, known)
    if (known !== undefined) return known
    const visit = this.#visit(place, text).then((outcome) => {
      this.#outcomes.set(text, outcome)
      return outcome
    })
    this.#outcomes.set(text, visit)
    return visit
  }

  /** Keeps of an object's outcome only whether it changes: nobody refers to it, and there may be a million such. */
  letGo(place: NodePlace): void {
    const text = nodeToText(place)
    const known = this.#outcomes.get(text)
    if (typeof known === 'object' && 'kind' in known && (known.kind === 'unchanged' || known.kind === 'changed'))
      this.#outcomes.set(text, known.kind)
  }

  /** Whether it was looked at, and nobody refers to it. */
  isLetGo(place: NodePlace): boolean {
    return typeof this.#outcomes.get(nodeToText(place)) === 'string'
  }

  /** The outcome for what an object refers to; blocked when that waits for the object itself. */
  async referredTo(from: NodePlace, to: NodePlace): Promise<NodeOutcome> {
    const own = nodeToText(from)
    const target = nodeToText(to)
    const cycle = this.#cycle(own, target)
    if (cycle !== undefined) return { kind: 'blocked', message: `it is part of a dependency cycle: ${cycle}` }
    const outcome = this.of(to)
    if (!(outcome instanceof Promise)) return outcome
    this.#waitsFor.set(own, target)
    try {
      return await outcome
    } finally {
      this.#waitsFor.delete(own)
    }
  }

  #cycle(own: string, target: string): string | undefined {
    const way = [own]
    for (let at: string | undefined = target; at !== undefined; at = this.#waitsFor.get(at)) {
      way.push(at)
      if (at === own) return way.map(nodeForPeople).join(' → ')
    }
    return undefined
  }
}

// The plural and the name say enough here.
function nodeForPeople(text: string): string {
  const [, resource = '', namespace = '', name = ''] = text.split('/')
  return `${resource} ${namespace}/${name}`
}

import { type ResourceRef, refToText } from '../../model/index.ts'
import type { ObjectOutcome } from '../object-outcome.ts'

/**
 * Plans every object once, no matter how many objects refer to it. An object waits for at most one other object at a time, so a cycle is
 * found by following the chain of waiting objects.
 */
export class Visits {
  readonly #visit: (ref: ResourceRef, text: string) => Promise<ObjectOutcome>
  readonly #rebuild: (ref: ResourceRef, kind: 'unchanged' | 'changed') => ObjectOutcome
  readonly #outcomes = new Map<string, Promise<ObjectOutcome> | ObjectOutcome | 'unchanged' | 'changed'>()
  readonly #waitsFor = new Map<string, string>()
  readonly #expanded = new Set<string>()

  constructor(
    visit: (ref: ResourceRef, text: string) => Promise<ObjectOutcome>,
    rebuild: (ref: ResourceRef, kind: 'unchanged' | 'changed') => ObjectOutcome,
  ) {
    this.#visit = visit
    this.#rebuild = rebuild
  }

  /** The number of visited objects. */
  get size(): number {
    return this.#outcomes.size
  }

  /** Returns the outcome of an object, and plans it if necessary. */
  of(ref: ResourceRef): Promise<ObjectOutcome> | ObjectOutcome {
    const text = refToText(ref)
    const known = this.#outcomes.get(text)
    if (typeof known === 'string') return this.#rebuild(ref, known)
    if (known !== undefined) return known
    const visit = this.#visit(ref, text).then((outcome) => {
      this.#outcomes.set(text, outcome)
      return outcome
    })
    this.#outcomes.set(text, visit)
    return visit
  }

  /** Reduces the outcome of an object without dependents to whether it changes, because there may be a million of them. */
  reduceOutcome(ref: ResourceRef): void {
    const text = refToText(ref)
    const known = this.#outcomes.get(text)
    if (typeof known === 'object' && 'kind' in known && (known.kind === 'unchanged' || known.kind === 'changed'))
      this.#outcomes.set(text, known.kind)
  }

  /** True when an object was visited and its outcome reduced. */
  isReduced(ref: ResourceRef): boolean {
    return typeof this.#outcomes.get(refToText(ref)) === 'string'
  }

  /**
   * Returns true the first time that the dependents of an object are to be visited. An object is found once for each of its
   * inputs that changes, and in a dependency cycle again and again.
   */
  expand(ref: ResourceRef): boolean {
    const text = refToText(ref)
    if (this.#expanded.has(text)) return false
    this.#expanded.add(text)
    return true
  }

  /** Returns the outcome of a referenced object; blocked when that object waits for the referring one. */
  async referredTo(from: ResourceRef, to: ResourceRef): Promise<ObjectOutcome> {
    const own = refToText(from)
    const target = refToText(to)
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
    const path = [own]
    for (let at: string | undefined = target; at !== undefined; at = this.#waitsFor.get(at)) {
      path.push(at)
      if (at === own) return path.map(shownRef).join(' → ')
    }
    return undefined
  }
}

// Leaves out the API group.
function shownRef(text: string): string {
  const [, resource = '', namespace = '', name = ''] = text.split('/')
  return `${resource} ${namespace}/${name}`
}

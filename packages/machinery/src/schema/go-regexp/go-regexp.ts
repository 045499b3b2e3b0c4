import { Automaton } from './automaton.ts'
import { parseRegexp } from './parse.ts'
import { compileSteps, type Step } from './program.ts'

/** The position of a match, in UTF-16 code units; `end` is exclusive. */
export interface Match {
  readonly start: number
  readonly end: number
}

/**
 * A regular expression with Go's semantics (RE2): the same syntax, the same leftmost-first matches, and matching in time
 * linear in the text for every expression. JavaScript's engine backtracks, so that a pattern in a CRD could block the server.
 */
export class GoRegexp {
  readonly #steps: readonly Step[]
  readonly #automaton: Automaton | undefined
  // Instructions that searches took.
  #taken = 0

  /** Throws RegexpSyntaxError with Go's message. */
  constructor(pattern: string) {
    this.#steps = compileSteps(parseRegexp(pattern))
    this.#automaton = Automaton.supports(this.#steps) ? new Automaton(this.#steps) : undefined
  }

  /** Returns true when any part of the text matches. */
  test(text: string): boolean {
    return this.#automaton?.test(text) ?? this.#search(text, 0, true) !== undefined
  }

  /** Returns the first match that starts at `from` or later. */
  find(text: string, from = 0): Match | undefined {
    return this.#search(text, from, false)
  }

  /** The number of instructions; a search takes each of them at most once for each character. */
  get size(): number {
    return this.#steps.length
  }

  /**
   * Returns up to `limit` matches that do not overlap. A search may read to the end of the text to find a short match, so all
   * of them together take a time that is quadratic in the text. Throws a RangeError after `mostSteps`.
   */
  findAll(text: string, limit = Number.POSITIVE_INFINITY, mostSteps = Number.POSITIVE_INFINITY): Match[] {
    const found: Match[] = []
    let at = 0
    let lastEnd = -1
    this.#taken = 0
    while (at <= text.length && found.length < limit) {
      const match = this.find(text, at)
      if (this.#taken > mostSteps) throw new RangeError(`finding all matches takes more than ${mostSteps} steps`)
      if (match === undefined) break
      // Go ignores an empty match directly after another match.
      if (match.end > match.start || match.start !== lastEnd) found.push(match)
      lastEnd = match.end
      at = match.end > match.start ? match.end : match.end + 1
    }
    return found
  }

  // Pike's algorithm: all alternatives advance in parallel, each instruction at most once for each character.
  #search(text: string, from: number, any: boolean): Match | undefined {
    let current = new Threads(this.#steps.length)
    let next = new Threads(this.#steps.length)
    let match: Match | undefined
    let before = from === 0 ? -1 : text.charCodeAt(from - 1)
    for (let at = from; ; ) {
      const after = at < text.length ? text.codePointAt(at)! : -1
      if (match === undefined) this.#follow(current, 0, at, before, after)
      if (current.size === 0 && match !== undefined) return match
      for (let index = 0; index < current.size; index++) {
        const step = this.#steps[current.steps[index]!]!
        if (step.kind === 'match') {
          match = { start: current.starts[index]!, end: at }
          if (any) return match
          break
        }
        if (step.kind === 'one' && after !== -1 && step.accepts(after)) {
          const ahead = at + (after > 0xffff ? 2 : 1)
          const afterThat = ahead < text.length ? text.codePointAt(ahead)! : -1
          this.#follow(next, current.steps[index]! + 1, current.starts[index]!, after, afterThat)
        }
      }
      if (after === -1) return match
      ;[current, next] = [next, current]
      next.clear()
      this.#taken += current.size + 1
      before = after
      at += after > 0xffff ? 2 : 1
    }
  }

  // Follows splits, jumps and assertions up to the instructions that consume a character, the preferred ones first.
  #follow(threads: Threads, from: number, start: number, before: number, after: number): void {
    const waiting = [from]
    while (waiting.length > 0) {
      const at = waiting.pop()!
      if (!threads.enter(at)) continue
      const step = this.#steps[at]!
      if (step.kind === 'split') waiting.push(step.second, step.first)
      else if (step.kind === 'jump') waiting.push(step.to)
      else if (step.kind === 'assert') {
        if (step.holds(before, after)) waiting.push(at + 1)
      } else threads.add(at, start)
    }
  }
}

/** The instructions waiting for the next character, in order of preference, each with the start of its match. */
class Threads {
  readonly steps: Uint32Array
  readonly starts: Uint32Array
  // The round in which each instruction was last entered; a new round clears the set without touching the array.
  readonly #seen: Uint32Array
  #round = 1
  size = 0

  constructor(count: number) {
    this.steps = new Uint32Array(count)
    this.starts = new Uint32Array(count)
    this.#seen = new Uint32Array(count)
  }

  enter(step: number): boolean {
    if (this.#seen[step] === this.#round) return false
    this.#seen[step] = this.#round
    return true
  }

  add(step: number, start: number): void {
    this.steps[this.size] = step
    this.starts[this.size] = start
    this.size++
  }

  clear(): void {
    this.size = 0
    this.#round++
  }
}

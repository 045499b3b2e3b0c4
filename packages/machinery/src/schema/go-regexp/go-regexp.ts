import { Automaton } from './automaton.ts'
import { parseRegexp } from './parse.ts'
import { compileSteps, type Step } from './program.ts'

/** Where a match lies in a text. */
export interface Match {
  readonly start: number
  readonly end: number
}

/**
 * A regular expression as Go's are: the same syntax, the same leftmost-first matches, and the same promise that matching
 * takes time in proportion to the text, whatever the expression. JavaScript's own can be made to run for ever.
 */
export class GoRegexp {
  readonly #steps: readonly Step[]
  readonly #automaton: Automaton | undefined

  /** Fails with RegexpSyntaxError. */
  constructor(pattern: string) {
    this.#steps = compileSteps(parseRegexp(pattern))
    this.#automaton = Automaton.fits(this.#steps) ? new Automaton(this.#steps) : undefined
  }

  /** Whether some part of the text matches. */
  test(text: string): boolean {
    return this.#automaton?.test(text) ?? this.#search(text, 0, true) !== undefined
  }

  /** The first match at or after a place. */
  find(text: string, from = 0): Match | undefined {
    return this.#search(text, from, false)
  }

  /** All matches that do not overlap, at most so many. */
  findAll(text: string, limit = Number.POSITIVE_INFINITY): Match[] {
    const found: Match[] = []
    let at = 0
    let lastEnd = -1
    while (at <= text.length && found.length < limit) {
      const match = this.find(text, at)
      if (match === undefined) break
      // An empty match right behind another one is none.
      if (match.end > match.start || match.start !== lastEnd) found.push(match)
      lastEnd = match.end
      at = match.end > match.start ? match.end : match.end + 1
    }
    return found
  }

  // All ways are followed side by side, each step at most once for each character.
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
      before = after
      at += after > 0xffff ? 2 : 1
    }
  }

  // Goes on to where a character is needed; what is preferred comes first.
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

/** The steps that wait for the next character, in order of preference, each with where its match began. */
class Threads {
  readonly steps: Uint32Array
  readonly starts: Uint32Array
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

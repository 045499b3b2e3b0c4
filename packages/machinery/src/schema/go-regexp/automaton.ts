import type { Step } from './program.ts'

/** A state of the automaton: the instructions that are active after some prefix of a text. */
interface State {
  readonly steps: readonly number[]
  readonly isMatch: boolean
  /**
   * The transitions by character, computed on demand. The last character of a text has its own table, because `$` matches
   * only after it.
   */
  readonly ahead: Map<number, State>
  readonly last: Map<number, State>
}

// Bounds of the states and transitions that are cached for one expression.
const maximumStates = 1000
const maximumCharacters = 1000

/**
 * A deterministic automaton that is built lazily while it reads texts: one map lookup for each character. It supports only
 * expressions whose assertions are the start and the end of the text; word boundaries and multiline need GoRegexp's search.
 */
export class Automaton {
  readonly #steps: readonly Step[]
  readonly #states = new Map<string, State>()
  #first: State | undefined
  #characters = 0

  constructor(steps: readonly Step[]) {
    this.#steps = steps
  }

  static supports(steps: readonly Step[]): boolean {
    return steps.every((step) => step.kind !== 'assert' || step.place !== undefined)
  }

  test(text: string): boolean {
    let state = text === '' ? this.#stateOf((reach) => this.#reach(reach, 0, true, true)) : this.#beginning()
    for (let at = 0; !state.isMatch; ) {
      if (at >= text.length) return false
      const code = text.codePointAt(at)!
      at += code > 0xffff ? 2 : 1
      const isLast = at >= text.length
      const known = isLast ? state.last : state.ahead
      state = known.get(code) ?? this.#advance(state, code, isLast)
    }
    return true
  }

  #beginning(): State {
    this.#first ??= this.#stateOf((reach) => this.#reach(reach, 0, true, false))
    return this.#first
  }

  #advance(state: State, code: number, isLast: boolean): State {
    const next = this.#stateOf((reach) => {
      for (const at of state.steps) {
        const step = this.#steps[at]!
        if (step.kind === 'one' && step.accepts(code)) this.#reach(reach, at + 1, false, isLast)
      }
      // The expression is not anchored: a match may begin after every character.
      this.#reach(reach, 0, false, isLast)
    })
    // Drop the cache when it is full, so that varied texts cannot exhaust memory. The states in use stay valid.
    if (this.#states.size > maximumStates || this.#characters > maximumCharacters) {
      for (const each of this.#states.values()) {
        each.ahead.clear()
        each.last.clear()
      }
      this.#states.clear()
      this.#first = undefined
      this.#characters = 0
    }
    this.#characters++
    ;(isLast ? state.last : state.ahead).set(code, next)
    return next
  }

  // Returns the state for a set of instructions; equal sets share one state.
  #stateOf(fill: (reach: Set<number>) => void): State {
    const reach = new Set<number>()
    fill(reach)
    const steps = [...reach].filter((at) => this.#steps[at]!.kind === 'one')
    const isMatch = reach.has(this.#steps.length - 1)
    const name = `${isMatch} ${steps.sort((a, b) => a - b).join()}`
    let state = this.#states.get(name)
    if (state === undefined) {
      state = { steps, isMatch, ahead: new Map(), last: new Map() }
      this.#states.set(name, state)
    }
    return state
  }

  // Adds all instructions that are reachable without consuming a character.
  #reach(reach: Set<number>, from: number, isStart: boolean, isEnd: boolean): void {
    const waiting = [from]
    while (waiting.length > 0) {
      const at = waiting.pop()!
      if (reach.has(at)) continue
      const step = this.#steps[at]!
      if (step.kind === 'assert') {
        if (step.place === 'start' ? isStart : isEnd) waiting.push(at + 1)
        continue
      }
      reach.add(at)
      if (step.kind === 'split') waiting.push(step.second, step.first)
      else if (step.kind === 'jump') waiting.push(step.to)
    }
  }
}

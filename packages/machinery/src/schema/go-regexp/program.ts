import type { Accepts, Assertion, Part, Place } from './syntax.ts'
import { RegexpSyntaxError } from './syntax.ts'

/** An instruction of the matching program. Execution continues with the next one, except after a split or a jump. */
export type Step =
  | { readonly kind: 'one'; readonly accepts: Accepts }
  | { readonly kind: 'assert'; readonly holds: Assertion; readonly place?: Place }
  /** Both targets are tried; `first` has preference. */
  | { readonly kind: 'split'; first: number; second: number }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'match' }

/** Limits the size of a program, because nested repetitions multiply; Go has a similar limit. */
const maximumSteps = 20_000

/** Compiles an expression into a program that ends with `match`. */
export function compileSteps(part: Part): readonly Step[] {
  const steps: Step[] = []
  emit(part, steps)
  steps.push({ kind: 'match' })
  return steps
}

function emit(part: Part, steps: Step[]): void {
  if (steps.length > maximumSteps) throw new RegexpSyntaxError('error parsing regexp: expression too large')
  switch (part.kind) {
    case 'empty':
      return
    case 'one':
    case 'assert':
      steps.push(part)
      return
    case 'sequence':
      for (const each of part.parts) emit(each, steps)
      return
    case 'choice':
      emitChoice(part.parts, steps)
      return
    case 'repeat':
      emitRepeat(part, steps)
      return
    default:
      part satisfies never
  }
}

function emitChoice(parts: readonly Part[], steps: Step[]): void {
  const jumps: { kind: 'jump'; to: number }[] = []
  for (const part of parts.slice(0, -1)) {
    const split: Split = { kind: 'split', first: steps.length + 1, second: 0 }
    steps.push(split)
    emit(part, steps)
    const jump = { kind: 'jump' as const, to: 0 }
    steps.push(jump)
    jumps.push(jump)
    split.second = steps.length
  }
  emit(parts.at(-1)!, steps)
  for (const jump of jumps) jump.to = steps.length
}

// `x{2,4}` becomes x x (x (x)?)?; an unlimited repetition becomes a loop.
function emitRepeat({ part, min, max, lazy }: Extract<Part, { kind: 'repeat' }>, steps: Step[]): void {
  for (let count = 0; count < min; count++) emit(part, steps)
  if (max === Number.POSITIVE_INFINITY) {
    const start = steps.length
    const split = addSplit(steps, lazy)
    emit(part, steps)
    steps.push({ kind: 'jump', to: start })
    setExit(split, lazy, steps.length)
    return
  }
  const splits: Split[] = []
  for (let count = min; count < max; count++) {
    splits.push(addSplit(steps, lazy))
    emit(part, steps)
  }
  for (const split of splits) setExit(split, lazy, steps.length)
}

type Split = Extract<Step, { kind: 'split' }>

function addSplit(steps: Step[], lazy: boolean): Split {
  const inside = steps.length + 1
  const split: Split = lazy ? { kind: 'split', first: 0, second: inside } : { kind: 'split', first: inside, second: 0 }
  steps.push(split)
  return split
}

// Sets the target that skips the repeated part.
function setExit(split: Split, lazy: boolean, to: number): void {
  if (lazy) split.first = to
  else split.second = to
}

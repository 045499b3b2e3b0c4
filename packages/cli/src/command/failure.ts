/** A command that was called in a wrong way: the program ends with 64. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/** Something that did not work, with what to do about it: the program ends with 1. */
export class CommandError extends Error {
  readonly advice: readonly string[]

  constructor(message: string, ...advice: readonly string[]) {
    super(message)
    this.name = 'CommandError'
    this.advice = advice
  }
}

/** Wrong usage of a command: the program exits with 64. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/** A failure with its remedies: the program exits with 1. */
export class CommandError extends Error {
  readonly advice: readonly string[]

  constructor(message: string, ...advice: readonly string[]) {
    super(message)
    this.name = 'CommandError'
    this.advice = advice
  }
}

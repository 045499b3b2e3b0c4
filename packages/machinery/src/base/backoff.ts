/** Parameters of an exponential backoff. */
export interface BackoffOptions {
  /** The first delay in milliseconds. Default 100. */
  readonly initial?: number
  /** The longest delay in milliseconds. Default 30,000. */
  readonly maximum?: number
  /** The multiplier from one delay to the next. Default 2. */
  readonly factor?: number
  /**
   * The share of each delay, from 0 to 1, that is randomly cut off, so that clients which failed together do not all
   * retry at the same moment. Default 0.2.
   */
  readonly jitter?: number
  /** Returns a number in [0, 1); tests pass a fixed one. Default Math.random. */
  readonly random?: () => number
}

/** Retry delays that grow with each failure and start over after a success. */
export interface Backoff {
  /** Returns the delay before the next attempt, in milliseconds, and increases the one after it. */
  next(): number
  /** Starts again with the initial delay; call it after a success. */
  reset(): void
}

export function createBackoff(options: BackoffOptions = {}): Backoff {
  const { initial = 100, maximum = 30_000, factor = 2, jitter = 0.2, random = Math.random } = options
  let delay = initial
  return {
    next() {
      const current = delay
      delay = Math.min(maximum, delay * factor)
      return current * (1 - jitter * random())
    },
    reset() {
      delay = initial
    },
  }
}

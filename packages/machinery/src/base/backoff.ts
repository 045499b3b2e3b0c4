/** How long to wait before trying again. */
export interface BackoffOptions {
  /** The first wait in milliseconds. Default 100. */
  readonly initial?: number
  /** The longest wait in milliseconds. Default 30,000. */
  readonly maximum?: number
  /** What each wait is multiplied by. Default 2. */
  readonly factor?: number
  /** The share of a wait that is left to chance, so that many who failed together do not return together. Default 0.2. */
  readonly jitter?: number
  /** A number from 0 up to 1. Default Math.random. */
  readonly random?: () => number
}

/** Waits that grow with each failure and begin anew after a success. */
export interface Backoff {
  /** The next wait in milliseconds. */
  next(): number
  /** Begins anew. */
  reset(): void
}

export function createBackoff(options: BackoffOptions = {}): Backoff {
  const { initial = 100, maximum = 30_000, factor = 2, jitter = 0.2, random = Math.random } = options
  let wait = initial
  return {
    next() {
      const current = wait
      wait = Math.min(maximum, wait * factor)
      return current * (1 - jitter * random())
    },
    reset() {
      wait = initial
    },
  }
}

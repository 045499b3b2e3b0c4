import type { CompleteProcessSettings } from './process-settings.ts'
import { ProviderFailure } from './provider-failure.ts'

/** Delays restarts of a provider that fails repeatedly. */
export class RestartBackoff {
  readonly #settings: CompleteProcessSettings
  readonly #named: string
  #failures = 0
  #notBefore = 0
  #last: ProviderFailure | { readonly message: string } | undefined

  constructor(named: string, settings: CompleteProcessSettings) {
    this.#named = named
    this.#settings = settings
  }

  /** There was no failure, or the last one was long ago, so the state can be dropped. */
  get isClear(): boolean {
    const { clock, maxRestartDelay } = this.#settings
    return this.#failures === 0 || clock.monotonic() > this.#notBefore + maxRestartDelay
  }

  /** Fails with ProviderUnavailable during the delay. */
  check(): void {
    const left = Math.ceil(this.#notBefore - this.#settings.clock.monotonic())
    if (left <= 0 || this.#last === undefined) return
    const times = this.#failures === 1 ? 'once' : `${this.#failures} times in a row`
    const seconds = (left / 1000).toFixed(1)
    throw new ProviderFailure(
      'ProviderUnavailable',
      `${this.#named} failed ${times} and is not restarted for ${seconds} s; last failure: ${this.#last.message}`,
      {
        sent: false,
        retryAfter: left,
        cause: this.#last,
        ...('diagnostics' in this.#last && { diagnostics: this.#last.diagnostics }),
      },
    )
  }

  /** Records a failure and the lifetime of the process in milliseconds. */
  failed(failure: ProviderFailure | { readonly message: string }, lived: number): void {
    const { clock, restartDelay, maxRestartDelay, stableAfter } = this.#settings
    this.#failures = lived >= stableAfter ? 1 : this.#failures + 1
    this.#last = failure
    // The first failure causes no delay, because most are not repeated.
    const wait = this.#failures === 1 ? 0 : Math.min(maxRestartDelay, restartDelay * 2 ** (this.#failures - 2))
    this.#notBefore = clock.monotonic() + wait
  }

  /** Resets the number of failures after the process was stable. */
  clear(): void {
    this.#failures = 0
    this.#last = undefined
    this.#notBefore = 0
  }
}

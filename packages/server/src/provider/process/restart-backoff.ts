import type { CompleteProcessSettings } from './process-settings.ts'
import { ProviderFailure } from './provider-failure.ts'

/** Keeps a provider that fails again and again from being started in a hot loop. */
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

  /** Whether it has nothing to remember: no failure, or none for a long time. */
  get isClear(): boolean {
    const { clock, longestRestartWait } = this.#settings
    return this.#failures === 0 || clock.monotonic() > this.#notBefore + longestRestartWait
  }

  /** Fails with ProviderUnavailable while it is too early to start it again. */
  check(): void {
    const left = Math.ceil(this.#notBefore - this.#settings.clock.monotonic())
    if (left <= 0 || this.#last === undefined) return
    const times = this.#failures === 1 ? 'once' : `${this.#failures} times in a row`
    const seconds = (left / 1000).toFixed(1)
    throw new ProviderFailure(
      'ProviderUnavailable',
      `${this.#named} failed ${times} and is not started again for ${seconds} s; the last time: ${this.#last.message}`,
      {
        sent: false,
        retryAfter: left,
        cause: this.#last,
        ...('diagnostics' in this.#last && { diagnostics: this.#last.diagnostics }),
      },
    )
  }

  /** It failed, after having lived so long. */
  failed(failure: ProviderFailure | { readonly message: string }, lived: number): void {
    const { clock, restartWait, longestRestartWait, steadyAfter } = this.#settings
    this.#failures = lived >= steadyAfter ? 1 : this.#failures + 1
    this.#last = failure
    // The first failure may be bad luck.
    const wait = this.#failures === 1 ? 0 : Math.min(longestRestartWait, restartWait * 2 ** (this.#failures - 2))
    this.#notBefore = clock.monotonic() + wait
  }

  /** It was well for long enough. */
  clear(): void {
    this.#failures = 0
    this.#last = undefined
    this.#notBefore = 0
  }
}

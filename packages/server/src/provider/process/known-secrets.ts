import { SecretScrubber } from './secret-scrubber.ts'

/**
 * The strings that must not be seen in what a process says: those that it was configured with for as long as it lives, and
 * those of the objects it was last asked about. The latter are bounded in number, the oldest go first.
 */
export class KnownSecrets {
  readonly #lasting = new Set<string>()
  readonly #passing = new Set<string>()
  #scrubber: SecretScrubber | undefined

  constructor(lasting: Iterable<string> = []) {
    this.keep(lasting)
  }

  /** Made anew only when it is needed: much more is asked than said. */
  get scrubber(): SecretScrubber {
    this.#scrubber ??= new SecretScrubber([...this.#lasting, ...this.#passing])
    return this.#scrubber
  }

  /** These are secrets from now on. */
  keep(strings: Iterable<string>): void {
    for (const each of strings) this.#lasting.add(each)
    this.#scrubber = undefined
  }

  /** These are secrets for a good while. */
  hide(strings: Iterable<string>): void {
    for (const each of strings) {
      const isNew = !this.#passing.delete(each)
      this.#passing.add(each)
      if (isNew) this.#scrubber = undefined
    }
    for (const oldest of this.#passing) {
      if (this.#passing.size <= mostPassing) break
      this.#passing.delete(oldest)
    }
  }
}

const mostPassing = 2000

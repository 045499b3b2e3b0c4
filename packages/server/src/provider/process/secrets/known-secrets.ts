import { SecretScrubber } from './secret-scrubber.ts'

/**
 * The strings that are scrubbed from a process's output: those of its configuration for its whole life, and those of recently
 * handled objects. The latter are bounded in number; the oldest are dropped first.
 */
export class KnownSecrets {
  readonly #permanent = new Set<string>()
  readonly #recent = new Set<string>()
  #scrubber: SecretScrubber | undefined

  constructor(permanent: Iterable<string> = []) {
    this.addPermanent(permanent)
  }

  /** Built lazily: secrets are added with every call, output is rare. */
  get scrubber(): SecretScrubber {
    this.#scrubber ??= new SecretScrubber([...this.#permanent, ...this.#recent])
    return this.#scrubber
  }

  addPermanent(strings: Iterable<string>): void {
    for (const each of strings) this.#permanent.add(each)
    this.#scrubber = undefined
  }

  addRecent(strings: Iterable<string>): void {
    for (const each of strings) {
      const isNew = !this.#recent.delete(each)
      this.#recent.add(each)
      if (isNew) this.#scrubber = undefined
    }
    for (const oldest of this.#recent) {
      if (this.#recent.size <= maxRecent) break
      this.#recent.delete(oldest)
    }
  }
}

const maxRecent = 2000

import { InstallFailure } from './install-failure.ts'

/** A document of a registry or mirror, read field by field. Fails with RegistryInvalid, naming the field. */
export class JsonShape {
  readonly #value: unknown
  readonly #what: string

  constructor(value: unknown, what: string) {
    this.#value = value
    this.#what = what
  }

  get isPresent(): boolean {
    return this.#value !== undefined && this.#value !== null
  }

  field(name: string): JsonShape {
    const { object } = this
    return new JsonShape(Object.hasOwn(object, name) ? object[name] : undefined, `${this.#what}, field ${name}`)
  }

  get object(): Readonly<Record<string, unknown>> {
    const value = this.#value
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.#refuse('an object')
    return value as Readonly<Record<string, unknown>>
  }

  get text(): string {
    return typeof this.#value === 'string' ? this.#value : this.#refuse('a string')
  }

  /** Its elements; none when it is absent. */
  get items(): readonly JsonShape[] {
    if (!this.isPresent) return []
    if (!Array.isArray(this.#value)) return this.#refuse('a list')
    return this.#value.map((item, i) => new JsonShape(item, `${this.#what}, element ${i}`))
  }

  /** An address, which may be relative to that of the document. */
  url(base: URL): URL {
    const { text } = this
    try {
      return new URL(text, base)
    } catch {
      return this.#refuse('an address')
    }
  }

  #refuse(wanted: string): never {
    throw new InstallFailure('RegistryInvalid', `${this.#what} is not ${wanted}`)
  }
}

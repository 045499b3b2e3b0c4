import { InstallFailure } from '../install-failure.ts'

/** Reads a JSON document of a registry or mirror field by field. A wrong type fails with RegistryInvalid and the field's path. */
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

  /** The elements of a list; empty if the field is absent. */
  get items(): readonly JsonShape[] {
    if (!this.isPresent) return []
    if (!Array.isArray(this.#value)) return this.#refuse('a list')
    return this.#value.map((item, i) => new JsonShape(item, `${this.#what}, element ${i}`))
  }

  /** A URL, resolved against the document's own. */
  url(base: URL): URL {
    const { text } = this
    try {
      return new URL(text, base)
    } catch {
      return this.#refuse('a URL')
    }
  }

  #refuse(wanted: string): never {
    throw new InstallFailure('RegistryInvalid', `${this.#what} is not ${wanted}`)
  }
}

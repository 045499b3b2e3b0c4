import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { packageSchemaFrom } from './fetch-schema.ts'
import type { PackageSchema, ProviderPackage } from './provider-target.ts'
import { readSchemaFile, type SchemaBytes, schemaFormat, writeSchemaFile } from './schema-file.ts'

/** The schemas of packages: in memory, in files by the hash of the package, and from the provider itself only once. */
export class SchemaStore {
  readonly #directory: string
  readonly #fetch: (of: ProviderPackage) => Promise<SchemaBytes>
  readonly #known = new Map<string, Promise<PackageSchema>>()

  constructor(directory: string, fetch: (of: ProviderPackage) => Promise<SchemaBytes>) {
    this.#directory = directory
    this.#fetch = fetch
  }

  /** The schemas of a package. */
  of(given: ProviderPackage): Promise<PackageSchema> {
    const known = this.#known.get(given.hash)
    if (known !== undefined) return known
    const loading = this.#load(given)
    this.#known.set(given.hash, loading)
    loading.catch(() => this.#known.delete(given.hash))
    return loading
  }

  /** Asks the provider whatever is known, and keeps what it answers. */
  async refresh(given: ProviderPackage): Promise<PackageSchema> {
    const bytes = await this.#fetch(given)
    await writeSchemaFile(this.#fileOf(given), given.hash, bytes)
    const schema = packageSchemaFrom(bytes)
    this.#known.set(given.hash, Promise.resolve(schema))
    return schema
  }

  /** Nobody has this package any more. */
  forget(hash: string): void {
    this.#known.delete(hash)
  }

  async #load(given: ProviderPackage): Promise<PackageSchema> {
    const bytes = await readSchemaFile(this.#fileOf(given), given.hash)
    return bytes === undefined ? this.refresh(given) : packageSchemaFrom(bytes)
  }

  #fileOf({ hash }: ProviderPackage): string {
    const name = createHash('sha256').update(hash).digest('hex').slice(0, 32)
    return join(this.#directory, `${name}.v${schemaFormat}.schema`)
  }
}

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
    const known = this.#known.get(keyOf(given))
    if (known !== undefined) return known
    const loading = this.#load(given)
    this.#known.set(keyOf(given), loading)
    loading.catch(() => this.#known.delete(keyOf(given)))
    return loading
  }

  /** Asks the provider whatever is known, and keeps what it answers. */
  async refresh(given: ProviderPackage): Promise<PackageSchema> {
    const bytes = await this.#fetch(given)
    await writeSchemaFile(this.#fileOf(given), keyOf(given), bytes)
    const schema = packageSchemaFrom(bytes)
    this.#known.set(keyOf(given), Promise.resolve(schema))
    return schema
  }

  /** Nobody has this package any more. */
  forget(given: ProviderPackage): void {
    this.#known.delete(keyOf(given))
  }

  async #load(given: ProviderPackage): Promise<PackageSchema> {
    const bytes = await readSchemaFile(this.#fileOf(given), keyOf(given))
    return bytes === undefined ? this.refresh(given) : packageSchemaFrom(bytes)
  }

  #fileOf(given: ProviderPackage): string {
    const name = createHash('sha256').update(keyOf(given)).digest('hex').slice(0, 32)
    return join(this.#directory, `${name}.v${schemaFormat}.schema`)
  }
}

// Equal hashes mean equal code only where the hash covers all of it.
function keyOf({ hash, schemaKey = hash }: ProviderPackage): string {
  return schemaKey
}

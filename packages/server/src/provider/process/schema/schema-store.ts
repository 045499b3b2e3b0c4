import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { PackageSchema, ProviderPackage } from '../provider-target.ts'
import { packageSchemaFrom } from './fetch-schema.ts'
import { readSchemaFile, type SchemaBytes, schemaFormat, writeSchemaFile } from './schema-file.ts'

/** Caches the schemas of packages in memory and in files named by the hash of the package. */
export class SchemaStore {
  readonly #directory: string
  readonly #fetch: (of: ProviderPackage) => Promise<SchemaBytes>
  readonly #known = new Map<string, Promise<PackageSchema>>()

  constructor(directory: string, fetch: (of: ProviderPackage) => Promise<SchemaBytes>) {
    this.#directory = directory
    this.#fetch = fetch
  }

  /** Returns the schemas of a package; asks the provider only if there is no file. Concurrent callers share the work. */
  of(given: ProviderPackage): Promise<PackageSchema> {
    const known = this.#known.get(keyOf(given))
    if (known !== undefined) return known
    const loading = this.#load(given)
    this.#known.set(keyOf(given), loading)
    loading.catch(() => this.#known.delete(keyOf(given)))
    return loading
  }

  /** Asks the provider and replaces the cached schemas. */
  async refresh(given: ProviderPackage): Promise<PackageSchema> {
    const bytes = await this.#fetch(given)
    await writeSchemaFile(this.#fileOf(given), keyOf(given), bytes)
    const schema = packageSchemaFrom(bytes)
    this.#known.set(keyOf(given), Promise.resolve(schema))
    return schema
  }

  /** Drops the schemas of a package from memory. */
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

// Packages whose hash doesn't cover all of their code have a key of their own.
function keyOf({ hash, schemaKey = hash }: ProviderPackage): string {
  return schemaKey
}

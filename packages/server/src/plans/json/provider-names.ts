import { decodeObject, type ObjectStore } from '../../resource/index.ts'

/** Looks up the full address of a provider, such as `registry.terraform.io/hashicorp/aws`, by the name of its Provider object. */
export class ProviderNames {
  readonly #objects: ObjectStore
  readonly #cluster: string
  readonly #known = new Map<string, Promise<KnownProvider>>()

  constructor(objects: ObjectStore, cluster: string) {
    this.#objects = objects
    this.#cluster = cluster
  }

  async of(name: string): Promise<string> {
    let known = this.#known.get(name)
    if (known === undefined) {
      known = this.#read(name)
      this.#known.set(name, known)
    }
    return (await known).source
  }

  /** Returns the providers looked up so far as entries of `provider_config`, without their settings. */
  async configurations(): Promise<object> {
    const entries = [...this.#known].map(async ([name, known]) => {
      const { source, version } = await known
      return [name, { name, full_name: source, ...(version !== undefined && { version_constraint: version }) }]
    })
    return Object.fromEntries(await Promise.all(entries))
  }

  async #read(name: string): Promise<KnownProvider> {
    const stored = await this.#objects.get(providers, { cluster: this.#cluster, namespace: '', name })
    const object = stored && (decodeObject(stored.bytes) as ProviderDocument)
    return { source: object?.status?.lock?.source ?? object?.spec?.source ?? name, version: object?.spec?.version }
  }
}

interface KnownProvider {
  readonly source: string
  readonly version: string | undefined
}

interface ProviderDocument {
  readonly spec?: { readonly source?: string; readonly version?: string }
  readonly status?: { readonly lock?: { readonly source?: string } }
}

const providers = { group: 'hykube.io', resource: 'providers' }

import type { HttpFetcher } from './http-fetcher.ts'
import { InstallFailure } from './install-failure.ts'
import type { CompleteSettings } from './installer-settings.ts'
import { JsonShape } from './json-shape.ts'
import { originOf, tokenOf } from './registry-token.ts'

/** Finds where a host serves its registry of providers; each host is asked once, unless it failed. */
export class ServiceDiscovery {
  readonly #fetcher: HttpFetcher
  readonly #settings: CompleteSettings
  readonly #known = new Map<string, URL>()

  constructor(fetcher: HttpFetcher, settings: CompleteSettings) {
    this.#fetcher = fetcher
    this.#settings = settings
  }

  /** The address under which the registry's documents are; it ends in a slash. */
  async providersUrl(host: string, signal?: AbortSignal): Promise<URL> {
    const known = this.#known.get(host)
    if (known !== undefined) return known
    // Not shared while it is under way: whoever asked first may be canceled.
    const url = await this.#discover(host, signal)
    this.#known.set(host, url)
    return url
  }

  async #discover(host: string, signal: AbortSignal | undefined): Promise<URL> {
    const what = `cannot ask ${host} for its registry of providers`
    try {
      const start = new URL('/.well-known/terraform.json', originOf(this.#settings, host))
      const token = tokenOf(this.#settings, host)
      const { json, url } = await this.#fetcher.fetchJson(start, { what, token, signal })
      const service = new JsonShape(json, `the service discovery of ${host}`).field(service1)
      if (!service.isPresent) throw noRegistry(host)
      const found = service.url(url)
      return found.pathname.endsWith('/') ? found : new URL(`${found.href}/`)
    } catch (error) {
      throw error instanceof InstallFailure && error.reason === 'NotFound' ? noRegistry(host) : error
    }
  }
}

const service1 = 'providers.v1'

function noRegistry(host: string): InstallFailure {
  return new InstallFailure('NotFound', `${host} does not serve a registry of providers; check the source's host`)
}

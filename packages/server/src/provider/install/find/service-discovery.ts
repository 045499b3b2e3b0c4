import type { HttpFetcher } from '../fetch/http-fetcher.ts'
import { JsonShape } from '../fetch/json-shape.ts'
import { originOf, tokenOf } from '../fetch/registry-token.ts'
import { InstallFailure } from '../install-failure.ts'
import type { CompleteSettings } from '../installer-settings.ts'

/** Terraform's remote service discovery: finds the base URL of a host's provider registry. Successful results are cached. */
export class ServiceDiscovery {
  readonly #fetcher: HttpFetcher
  readonly #settings: CompleteSettings
  readonly #known = new Map<string, URL>()

  constructor(fetcher: HttpFetcher, settings: CompleteSettings) {
    this.#fetcher = fetcher
    this.#settings = settings
  }

  /** The base URL of the registry's documents; it ends in a slash. */
  async providersUrl(host: string, signal?: AbortSignal): Promise<URL> {
    const known = this.#known.get(host)
    if (known !== undefined) return known
    // Concurrent discoveries aren't shared: canceling the first caller would fail the others.
    const url = await this.#discover(host, signal)
    this.#known.set(host, url)
    return url
  }

  async #discover(host: string, signal: AbortSignal | undefined): Promise<URL> {
    const what = `cannot discover the provider registry of ${host}`
    try {
      const start = new URL('/.well-known/terraform.json', originOf(this.#settings, host))
      const token = tokenOf(this.#settings, host)
      const { json, url } = await this.#fetcher.fetchJson(start, { what, token, signal })
      const service = new JsonShape(json, `the service discovery of ${host}`).field(providersService)
      if (!service.isPresent) throw noRegistry(host)
      const found = service.url(url)
      return found.pathname.endsWith('/') ? found : new URL(`${found.href}/`)
    } catch (error) {
      throw error instanceof InstallFailure && error.reason === 'NotFound' ? noRegistry(host) : error
    }
  }
}

const providersService = 'providers.v1'

function noRegistry(host: string): InstallFailure {
  return new InstallFailure('NotFound', `${host} does not serve a provider registry; check the source's host`)
}

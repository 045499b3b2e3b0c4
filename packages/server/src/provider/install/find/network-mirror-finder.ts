import { join } from 'node:path'
import {
  addressToText,
  type ProviderAddress,
  type Version,
  versionFromText,
  versionToText,
} from '../../source/index.ts'
import { type HttpFetcher, type OriginToken, redactedUrl } from '../fetch/http-fetcher.ts'
import { JsonShape } from '../fetch/json-shape.ts'
import { InstallFailure } from '../install-failure.ts'
import type { CompleteSettings } from '../installer-settings.ts'
import type { FindOptions, FoundVersions, ObtainedPackage, ObtainOptions, PackageFinder } from './found-package.ts'

/** Terraform's network mirror protocol: static JSON documents with optional hashes and without signatures. */
export class NetworkMirrorFinder implements PackageFinder {
  readonly #fetcher: HttpFetcher
  readonly #settings: CompleteSettings
  readonly #base: URL
  readonly name: string

  constructor(url: string, fetcher: HttpFetcher, settings: CompleteSettings) {
    this.#fetcher = fetcher
    this.#settings = settings
    this.#base = new URL(url.endsWith('/') ? url : `${url}/`)
    this.name = `the mirror ${redactedUrl(this.#base)}`
  }

  async find(address: ProviderAddress, { signal }: FindOptions): Promise<FoundVersions> {
    const what = `cannot list the versions of ${addressToText(address)}`
    const { json } = await this.#json(`${addressToText(address)}/index.json`, what, signal)
    const { object } = new JsonShape(json, `the list of versions of ${addressToText(address)}`).field('versions')
    const versions = Object.keys(object).flatMap((text) => versionFromText(text) ?? [])
    return { versions: versions.map((version) => ({ version })), warnings: [] }
  }

  async obtain(address: ProviderAddress, version: Version, options: ObtainOptions): Promise<ObtainedPackage> {
    const named = `${addressToText(address)} ${versionToText(version)}`
    const path = `${addressToText(address)}/${versionToText(version)}.json`
    const { json, url } = await this.#json(path, `cannot look up ${named}`, options.signal)
    const { platform } = this.#settings
    const archive = new JsonShape(json, `the archives of ${named}`).field('archives').field(platform)
    if (!archive.isPresent)
      throw new InstallFailure('PlatformUnsupported', `${this.name} has no archive of ${named} for ${platform}`)
    const expected = archive.field('hashes').items.map(({ text }) => text)
    const known = await firstUnpacked(expected, options.isUnpacked)
    if (known !== undefined) return { kind: 'archive', sha256: known, trusted: [], expected, warnings: [] }
    const from = archive.field('url').url(url)
    const file = join(options.workspace, 'package.zip')
    const { sha256 } = await this.#fetcher.download(from, {
      what: `cannot download ${named}`,
      file,
      signal: options.signal,
      token: this.#token(),
      received: (received, total) =>
        options.progress({
          kind: 'downloading',
          url: redactedUrl(from),
          received,
          ...(total !== undefined && { total }),
        }),
    })
    const warnings = expected.length > 0 ? [] : [`${named} was not verified: ${this.name} lists no hashes for it`]
    return { kind: 'archive', file, sha256, trusted: [], expected, warnings }
  }

  #json(path: string, what: string, signal: AbortSignal | undefined) {
    // Without `./`, a path that starts with HOST:PORT would be parsed as a URL scheme.
    return this.#fetcher.fetchJson(new URL(`./${path}`, this.#base), { what, token: this.#token(), signal })
  }

  #token(): OriginToken | undefined {
    const value = this.#settings.credentials(this.#base.host)
    return value === undefined ? undefined : { origin: this.#base.origin, value }
  }
}

async function firstUnpacked(
  hashes: readonly string[],
  isUnpacked: (sha256: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const hash of hashes) {
    if (hash.startsWith('zh:') && (await isUnpacked(hash.slice(3)))) return hash.slice(3)
  }
  return undefined
}

import { join } from 'node:path'
import {
  addressToText,
  type ProviderAddress,
  type Version,
  versionFromText,
  versionToText,
} from '../../source/index.ts'
import { type HttpFetcher, redactedUrl } from '../fetch/http-fetcher.ts'
import { JsonShape } from '../fetch/json-shape.ts'
import { tokenOf } from '../fetch/registry-token.ts'
import { InstallFailure } from '../install-failure.ts'
import type { CompleteSettings } from '../installer-settings.ts'
import { archiveHashes, type Checksums, parseChecksums } from '../verify/checksums.ts'
import { type SigningKey, verifySignature } from '../verify/pgp-signature.ts'
import type { FindOptions, FoundVersions, ObtainedPackage, ObtainOptions, PackageFinder } from './found-package.ts'
import type { ServiceDiscovery } from './service-discovery.ts'

/** Terraform's provider registry protocol, at the host of the address. Packages are verified by their signed SHA256SUMS. */
export class RegistryFinder implements PackageFinder {
  readonly #fetcher: HttpFetcher
  readonly #discovery: ServiceDiscovery
  readonly #settings: CompleteSettings
  readonly name = 'the registry'

  constructor(fetcher: HttpFetcher, discovery: ServiceDiscovery, settings: CompleteSettings) {
    this.#fetcher = fetcher
    this.#discovery = discovery
    this.#settings = settings
  }

  async find(address: ProviderAddress, { signal }: FindOptions): Promise<FoundVersions> {
    const what = `cannot list the versions of ${addressToText(address)}`
    const json = await this.#json(address, 'versions', { what, signal })
    const document = new JsonShape(json.json, `the list of versions of ${addressToText(address)}`)
    return {
      versions: document.field('versions').items.flatMap((item) => {
        const version = versionFromText(item.field('version').text)
        if (version === undefined) return []
        const protocols = item.field('protocols').items.map(({ text }) => Number.parseInt(text, 10))
        const platforms = item.field('platforms').items.map((p) => `${p.field('os').text}_${p.field('arch').text}`)
        return [{ version, ...(protocols.length > 0 && { protocols }), ...(platforms.length > 0 && { platforms }) }]
      }),
      warnings: document.field('warnings').items.map(({ text }) => text),
    }
  }

  async obtain(address: ProviderAddress, version: Version, options: ObtainOptions): Promise<ObtainedPackage> {
    const named = `${addressToText(address)} ${versionToText(version)}`
    const offer = await this.#offer(address, version, named, options.signal)
    options.progress({ kind: 'verifying', version: versionToText(version) })
    const { sums, warnings } = await this.#verifiedSums(offer, named, options)
    if (sums.get(offer.filename) !== offer.sha256)
      throw new InstallFailure(
        'ChecksumMismatch',
        `cannot verify ${named}: the registry's checksum of ${offer.filename} differs from the one in its SHA256SUMS; report it to the registry's owner`,
      )
    const offered = {
      kind: 'archive',
      sha256: offer.sha256,
      trusted: archiveHashes(sums),
      expected: [],
      warnings,
    } as const
    if (await options.isUnpacked(offer.sha256)) return offered
    const file = join(options.workspace, 'package.zip')
    const { sha256 } = await this.#fetcher.download(offer.url, {
      what: `cannot download ${named}`,
      file,
      signal: options.signal,
      received: (received, total) =>
        options.progress({
          kind: 'downloading',
          url: redactedUrl(offer.url),
          received,
          ...(total !== undefined && { total }),
        }),
    })
    if (sha256 !== offer.sha256)
      throw new InstallFailure(
        'ChecksumMismatch',
        `cannot verify ${named}: the SHA-256 of ${redactedUrl(offer.url)} is ${sha256}, and its signed checksum is ${offer.sha256}; try again, and report it to the registry's owner if it persists`,
      )
    return { ...offered, file }
  }

  #json(
    address: ProviderAddress,
    path: string,
    options: { readonly what: string; readonly signal?: AbortSignal | undefined },
  ) {
    const { host, namespace, type } = address
    const token = tokenOf(this.#settings, host)
    return this.#discovery
      .providersUrl(host, options.signal)
      .then((base) => this.#fetcher.fetchJson(new URL(`${namespace}/${type}/${path}`, base), { ...options, token }))
  }

  async #offer(
    address: ProviderAddress,
    version: Version,
    named: string,
    signal: AbortSignal | undefined,
  ): Promise<Offer> {
    const { platform } = this.#settings
    const what = `cannot look up ${named}`
    try {
      const path = `${versionToText(version)}/download/${platform.replace('_', '/')}`
      const { json, url } = await this.#json(address, path, { what, signal })
      return offerFrom(new JsonShape(json, `the download of ${named}`), url)
    } catch (error) {
      if (!(error instanceof InstallFailure) || error.reason !== 'NotFound') throw error
      throw new InstallFailure(
        'VersionNotFound',
        `${error.message}; it is listed for ${platform} but is no longer available: choose another version`,
        { cause: error },
      )
    }
  }

  async #verifiedSums(
    offer: Offer,
    named: string,
    options: ObtainOptions,
  ): Promise<{ readonly sums: Checksums; readonly warnings: readonly string[] }> {
    const what = `cannot fetch the checksums of ${named}`
    const { signal } = options
    const { bytes } = await this.#fetcher.fetch(offer.sumsUrl, { what, signal, limit: 2 ** 20 })
    const warnings = await this.#checkSignature(offer, bytes, named, options)
    return { sums: parseChecksums(bytes.toString('utf8'), `SHA256SUMS of ${named}`), warnings }
  }

  async #checkSignature(
    offer: Offer,
    sums: Uint8Array,
    named: string,
    { signal, allowsUnsigned }: ObtainOptions,
  ): Promise<readonly string[]> {
    if (offer.keys.length === 0) {
      if (this.#settings.unsignedPackages === 'warn' && allowsUnsigned)
        return [`${named} is not signed: its registry lists no keys, so only its checksum was verified`]
      throw new InstallFailure(
        'SignatureMissing',
        `cannot verify ${named}: its registry lists no signing keys; an operator can allow the source with --provider-sources`,
      )
    }
    const what = `cannot fetch the signature of ${named}`
    const { bytes } = await this.#fetcher.fetch(offer.signatureUrl, { what, signal, limit: 2 ** 16 })
    return this.#judge(await this.#verified(sums, bytes, offer.keys, named), named)
  }

  async #verified(sums: Uint8Array, signature: Uint8Array, keys: readonly SigningKey[], named: string) {
    try {
      return await verifySignature(sums, signature, keys, this.#settings.clock.now())
    } catch (error) {
      const failure = InstallFailure.from(error, 'check a signature')
      const message = `cannot verify ${named}: its signature is not by one of the registry's keys: ${failure.message}`
      throw new InstallFailure(failure.reason === 'KeyExpired' ? 'KeyExpired' : 'SignatureInvalid', message, {
        cause: error,
      })
    }
  }

  #judge(signature: { readonly keyId: string; readonly expired?: Date }, named: string): readonly string[] {
    if (signature.expired === undefined) return []
    const day = signature.expired.toISOString().slice(0, 10)
    const said = `${named} is signed by key ${signature.keyId}, which expired on ${day}`
    if (this.#settings.expiredKeys === 'warn') return [said]
    throw new InstallFailure('KeyExpired', `cannot verify ${named}: ${said}; this server refuses expired keys`)
  }
}

interface Offer {
  readonly filename: string
  readonly url: URL
  readonly sha256: string
  readonly sumsUrl: URL
  readonly signatureUrl: URL
  readonly keys: readonly SigningKey[]
}

function offerFrom(document: JsonShape, base: URL): Offer {
  const keys = document.field('signing_keys')
  return {
    filename: document.field('filename').text,
    url: document.field('download_url').url(base),
    sha256: document.field('shasum').text.toLowerCase(),
    sumsUrl: document.field('shasums_url').url(base),
    signatureUrl: document.field('shasums_signature_url').url(base),
    keys: keys.isPresent
      ? keys.field('gpg_public_keys').items.map((key) => ({ armor: key.field('ascii_armor').text }))
      : [],
  }
}

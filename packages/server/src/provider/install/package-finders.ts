import { addressToText, type ProviderAddress } from '../source/index.ts'
import { isMeantFor } from './address-pattern.ts'
import type { Candidate } from './choose-version.ts'
import { FilesystemMirrorFinder } from './filesystem-mirror-finder.ts'
import type { FoundVersions, PackageFinder } from './found-package.ts'
import type { HttpFetcher } from './http-fetcher.ts'
import { InstallFailure } from './install-failure.ts'
import type { CompleteSettings, InstallMethod } from './installer-settings.ts'
import { NetworkMirrorFinder } from './network-mirror-finder.ts'
import { RegistryFinder } from './registry-finder.ts'
import { ServiceDiscovery } from './service-discovery.ts'

export interface FoundCandidates {
  readonly candidates: readonly Candidate[]
  readonly warnings: readonly string[]
}

/** Everybody who may have packages, as the settings name them. */
export class PackageFinders {
  readonly #settings: CompleteSettings
  readonly #nearby: readonly PackageFinder[]
  readonly #others: readonly { readonly method: InstallMethod; readonly finder: PackageFinder }[]

  constructor(fetcher: HttpFetcher, settings: CompleteSettings) {
    this.#settings = settings
    const discovery = new ServiceDiscovery(fetcher, settings)
    this.#nearby = settings.providerDirectories.map((directory) => new FilesystemMirrorFinder(directory, settings))
    this.#others = settings.methods.map((method) => {
      if (method.kind === 'registry') return { method, finder: new RegistryFinder(fetcher, discovery, settings) }
      return method.kind === 'network-mirror'
        ? { method, finder: new NetworkMirrorFinder(method.url, fetcher, settings) }
        : { method, finder: new FilesystemMirrorFinder(method.directory, settings) }
    })
  }

  /** All versions of an address. What the provider directories hold is not looked for elsewhere. */
  async find(
    address: ProviderAddress,
    { signal, nearbyOnly = false }: { readonly signal?: AbortSignal | undefined; readonly nearbyOnly?: boolean } = {},
  ): Promise<FoundCandidates> {
    const nearby = await ask(this.#nearby, address, signal)
    if (nearby.candidates.length > 0) return nearby
    if (nearbyOnly)
      throw new InstallFailure(
        'SourceNotAllowed',
        `${addressToText(address)} is in no provider directory, and --provider-sources does not name it`,
      )
    const { defaultHost } = this.#settings
    const others = this.#others.filter(({ method }) => isMeantFor(method, address, defaultHost))
    const asked = [...this.#nearby, ...others.map(({ finder }) => finder)]
    const found = await ask(
      others.map(({ finder }) => finder),
      address,
      signal,
    )
    if (found.candidates.length > 0) return found
    throw nowhere(address, asked, found.refusals)
  }
}

async function ask(
  finders: readonly PackageFinder[],
  address: ProviderAddress,
  signal: AbortSignal | undefined,
): Promise<FoundCandidates & { readonly refusals: readonly string[] }> {
  const refusals: string[] = []
  const answers = await Promise.all(
    finders.map(async (finder) => {
      const { versions, warnings } = await versionsOf(finder, address, signal, refusals)
      return { candidates: versions.map((version) => ({ ...version, finder })), warnings }
    }),
  )
  return {
    candidates: answers.flatMap(({ candidates }) => candidates),
    warnings: answers.flatMap(({ warnings }) => warnings),
    refusals,
  }
}

// Not to have a package is no failure as long as somebody else has it.
async function versionsOf(
  finder: PackageFinder,
  address: ProviderAddress,
  signal: AbortSignal | undefined,
  refusals: string[],
): Promise<FoundVersions> {
  try {
    return await finder.find(address, { signal })
  } catch (error) {
    if (!(error instanceof InstallFailure) || error.reason !== 'NotFound') throw error
    refusals.push(error.message)
    return { versions: [], warnings: [] }
  }
}

function nowhere(
  address: ProviderAddress,
  asked: readonly PackageFinder[],
  refusals: readonly string[],
): InstallFailure {
  const who = asked.map(({ name }) => name).join(', ') || 'nobody'
  const why = refusals.length === 0 ? '' : `: ${refusals.join('; ')}`
  return new InstallFailure(
    'NotFound',
    `there is no provider ${addressToText(address)} (asked: ${who})${why}; check the source, or add a directory that has it`,
  )
}

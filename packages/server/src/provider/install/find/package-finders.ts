import { addressToText, type ProviderAddress } from '../../source/index.ts'
import { isSelected } from '../address-pattern.ts'
import type { HttpFetcher } from '../fetch/http-fetcher.ts'
import { InstallFailure } from '../install-failure.ts'
import type { CompleteSettings, InstallMethod } from '../installer-settings.ts'
import type { Candidate } from './choose-version.ts'
import { FilesystemMirrorFinder } from './filesystem-mirror-finder.ts'
import type { FoundVersions, PackageFinder } from './found-package.ts'
import { NetworkMirrorFinder } from './network-mirror-finder.ts'
import { RegistryFinder } from './registry-finder.ts'
import { ServiceDiscovery } from './service-discovery.ts'

export interface FoundCandidates {
  readonly candidates: readonly Candidate[]
  readonly warnings: readonly string[]
}

/** All configured finders. */
export class PackageFinders {
  readonly #settings: CompleteSettings
  readonly #directories: readonly PackageFinder[]
  readonly #others: readonly { readonly method: InstallMethod; readonly finder: PackageFinder }[]

  constructor(fetcher: HttpFetcher, settings: CompleteSettings) {
    this.#settings = settings
    const discovery = new ServiceDiscovery(fetcher, settings)
    this.#directories = settings.providerDirectories.map((directory) => new FilesystemMirrorFinder(directory, settings))
    this.#others = settings.methods.map((method) => {
      if (method.kind === 'registry') return { method, finder: new RegistryFinder(fetcher, discovery, settings) }
      return method.kind === 'network-mirror'
        ? { method, finder: new NetworkMirrorFinder(method.url, fetcher, settings) }
        : { method, finder: new FilesystemMirrorFinder(method.directory, settings) }
    })
  }

  /** Lists all versions of an address. If a provider directory has the address, no other finder is asked. */
  async find(
    address: ProviderAddress,
    {
      signal,
      directoriesOnly = false,
    }: { readonly signal?: AbortSignal | undefined; readonly directoriesOnly?: boolean } = {},
  ): Promise<FoundCandidates> {
    const inDirectories = await ask(this.#directories, address, signal)
    if (inDirectories.candidates.length > 0) return inDirectories
    if (directoriesOnly)
      throw new InstallFailure(
        'SourceNotAllowed',
        `${addressToText(address)} is not in a provider directory, and --provider-sources does not allow it`,
      )
    const { defaultHost } = this.#settings
    const others = this.#others.filter(({ method }) => isSelected(method, address, defaultHost))
    const asked = [...this.#directories, ...others.map(({ finder }) => finder)]
    const found = await ask(
      others.map(({ finder }) => finder),
      address,
      signal,
    )
    if (found.candidates.length > 0) return found
    throw notFound(address, asked, found.refusals)
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

// NotFound of one finder is collected instead of thrown, because another finder may have the address.
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

function notFound(
  address: ProviderAddress,
  asked: readonly PackageFinder[],
  refusals: readonly string[],
): InstallFailure {
  const places = asked.map(({ name }) => name).join(', ') || 'no source is configured for it'
  const why = refusals.length === 0 ? '' : `: ${refusals.join('; ')}`
  return new InstallFailure(
    'NotFound',
    `provider ${addressToText(address)} not found (searched: ${places})${why}; check the source, or add a provider directory that has it`,
  )
}

import { type Clock, systemClock } from '@hykube/machinery/base'
import { EgressGuard } from '../../egress/index.ts'
import type { Credentials } from './credentials.ts'
import { currentPlatform } from './platform.ts'
import type { SourcePolicy } from './source-policy.ts'

/** A provider that comes with the server. */
export interface BuiltInProvider {
  readonly executable: string
  readonly version: string
  /** The files and directories that it consists of, for its hash. Default: the directory of its `bin`, or of the executable. */
  readonly files?: readonly string[]
}

/** A way to find packages, for the addresses that it is meant for. */
export type InstallMethod = (
  | { readonly kind: 'registry' }
  | { readonly kind: 'network-mirror'; readonly url: string }
  | { readonly kind: 'filesystem-mirror'; readonly directory: string }
) & {
  /** Patterns like `hashicorp/*` or `example.com/acme/*`. Default: every address. */
  readonly include?: readonly string[]
  /** They win over `include`. Default: none. */
  readonly exclude?: readonly string[]
}

export interface InstallerSettings {
  /** Where packages are kept, each once; servers of one machine may share it. */
  readonly cacheDirectory: string
  /** The host of addresses that name none. Default `registry.terraform.io`. */
  readonly defaultHost?: string
  /** By their source, `hykube/sim`. Default: none. */
  readonly builtIns?: ReadonlyMap<string, BuiltInProvider>
  /** Filesystem mirrors that are asked first; what they hold is not looked for elsewhere. Default: none. */
  readonly providerDirectories?: readonly string[]
  /** Where else to look; the newest version over all of them is taken. Default: the registry. */
  readonly methods?: readonly InstallMethod[]
  /** Default: none. */
  readonly credentials?: Credentials
  /** Hosts, with their ports, whose registries are asked by plain HTTP, as far as `egress` allows it. Default: none. */
  readonly plainHttpHosts?: ReadonlySet<string>
  /** Judges every address that is asked. Default: public addresses by HTTPS only. */
  readonly egress?: EgressGuard
  /** Certificates in PEM that are trusted instead of the usual ones. Default: the usual ones. */
  readonly certificateAuthorities?: readonly string[]
  /** HTTP_PROXY and its siblings, as the environment has them. Default: no proxy. */
  readonly proxyEnvironment?: Readonly<Record<string, string | undefined>>
  /** A package signed by a key that has expired since. Default `warn`, as OpenTofu does. */
  readonly expiredKeys?: 'warn' | 'refuse'
  /** A package whose registry lists no keys. Default `warn`. */
  readonly unsignedPackages?: 'warn' | 'refuse'
  /** Which sources may be installed. Default: every one. */
  readonly sources?: SourcePolicy
  /** Default: that of this machine. */
  readonly platform?: string
  readonly limits?: Partial<InstallLimits>
  readonly clock?: Clock
}

/** Bounds; sizes in bytes, times in milliseconds. */
export interface InstallLimits {
  /** Default 16 MiB. */
  readonly document: number
  /** Default 2 GiB. */
  readonly archive: number
  /** Default 8 GiB. */
  readonly unpacked: number
  /** Default 10,000. */
  readonly entries: number
  /** How many times larger than its archive a package may be. Default 100; what is below 64 MiB may be anything. */
  readonly ratio: number
  /** Default 10. */
  readonly redirects: number
  /** How long nothing may come. Default 30,000. */
  readonly silence: number
  /** For a document. Default 60,000. */
  readonly documentTime: number
  /** For an archive. Default 1,800,000. */
  readonly archiveTime: number
  /** How often a request that failed in passing is repeated. Default 2. */
  readonly retries: number
  /** Before the first repetition; each further one waits twice as long. Default 500. */
  readonly retryWait: number
}

export type CompleteSettings = Required<Omit<InstallerSettings, 'limits'>> & { readonly limits: InstallLimits }

/** Settings with all their defaults. */
export function completeSettings(given: InstallerSettings): CompleteSettings {
  return {
    cacheDirectory: given.cacheDirectory,
    defaultHost: given.defaultHost ?? 'registry.terraform.io',
    builtIns: given.builtIns ?? new Map(),
    providerDirectories: given.providerDirectories ?? [],
    methods: given.methods ?? [{ kind: 'registry' }],
    credentials: given.credentials ?? (() => undefined),
    plainHttpHosts: given.plainHttpHosts ?? new Set(),
    egress: given.egress ?? new EgressGuard(),
    certificateAuthorities: given.certificateAuthorities ?? [],
    proxyEnvironment: given.proxyEnvironment ?? {},
    expiredKeys: given.expiredKeys ?? 'warn',
    unsignedPackages: given.unsignedPackages ?? 'warn',
    sources: given.sources ?? (() => 'any'),
    platform: given.platform ?? currentPlatform(),
    limits: { ...defaultLimits, ...given.limits },
    clock: given.clock ?? systemClock,
  }
}

const defaultLimits: InstallLimits = {
  document: 16 * 2 ** 20,
  archive: 2 * 2 ** 30,
  unpacked: 8 * 2 ** 30,
  entries: 10_000,
  ratio: 100,
  redirects: 10,
  silence: 30_000,
  documentTime: 60_000,
  archiveTime: 1_800_000,
  retries: 2,
  retryWait: 500,
}

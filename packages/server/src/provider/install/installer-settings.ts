import { type Clock, systemClock } from '@hykube/machinery/base'
import { EgressGuard } from '../../egress/index.ts'
import type { Credentials } from './fetch/credentials.ts'
import { currentPlatform } from './find/platform.ts'
import type { SourcePolicy } from './source-policy.ts'

/** A provider that is shipped with the server. */
export interface BuiltInProvider {
  readonly executable: string
  readonly version: string
  /** The files and directories that its hash covers. Default: the parent of its `bin` directory, or the executable's directory. */
  readonly files?: readonly string[]
}

/** A place to look for packages, and the addresses that are looked up there. */
export type InstallMethod = (
  | { readonly kind: 'registry' }
  | { readonly kind: 'network-mirror'; readonly url: string }
  | { readonly kind: 'filesystem-mirror'; readonly directory: string }
) & {
  /** Patterns like `hashicorp/*` or `example.com/acme/*`. Default: every address. */
  readonly include?: readonly string[]
  /** Takes precedence over `include`. Default: none. */
  readonly exclude?: readonly string[]
}

export interface InstallerSettings {
  /** The package cache. Several servers of one machine may share it. */
  readonly cacheDirectory: string
  /** The host of addresses that name none. Default `registry.terraform.io`. */
  readonly defaultHost?: string
  /** Built-in providers by source, such as `hykube/sim`. Default: none. */
  readonly builtIns?: ReadonlyMap<string, BuiltInProvider>
  /** Filesystem mirrors that are searched first; addresses found there are not looked up elsewhere. Default: none. */
  readonly providerDirectories?: readonly string[]
  /** Further places; the newest version of all of them is chosen. Default: the registry. */
  readonly methods?: readonly InstallMethod[]
  /** Default: none. */
  readonly credentials?: Credentials
  /** Hosts, with their ports, whose registries use plain HTTP, if `egress` allows it. Default: none. */
  readonly plainHttpHosts?: ReadonlySet<string>
  /** Checks every URL and resolved IP address before a connection. Default: public addresses over HTTPS only. */
  readonly egress?: EgressGuard
  /** CA certificates in PEM that replace Node's defaults. Default: Node's. */
  readonly certificateAuthorities?: readonly string[]
  /** HTTP_PROXY, HTTPS_PROXY and NO_PROXY from the environment. Default: no proxy. */
  readonly proxyEnvironment?: Readonly<Record<string, string | undefined>>
  /** The treatment of packages signed by a key that has expired since. Default `warn`, as in OpenTofu. */
  readonly expiredKeys?: 'warn' | 'refuse'
  /** The treatment of packages whose registry lists no signing keys. Default `warn`. */
  readonly unsignedPackages?: 'warn' | 'refuse'
  /** Decides which sources may be installed. Default: all of them. */
  readonly sources?: SourcePolicy
  /** The platform of packages, such as `linux_amd64`. Default: this machine's. */
  readonly platform?: string
  readonly limits?: Partial<InstallLimits>
  readonly clock?: Clock
}

/** Limits against hostile or broken registries and archives. Sizes in bytes, times in milliseconds. */
export interface InstallLimits {
  /** Size of a JSON document. Default 2 MiB. */
  readonly document: number
  /** Size of a downloaded archive. Default 2 GiB. */
  readonly archive: number
  /** Sum of the unpacked files' sizes. Default 8 GiB. */
  readonly unpacked: number
  /** Number of files in an archive. Default 10,000. */
  readonly entries: number
  /** Ratio of unpacked to archive size, against zip bombs. Default 100; packages below 64 MiB are not checked. */
  readonly ratio: number
  /** Number of redirects that are followed. Default 10. */
  readonly redirects: number
  /** Time without any received byte. Default 30,000. */
  readonly idleTimeout: number
  /** Time for a document. Default 60,000. */
  readonly documentTimeout: number
  /** Time for an archive. Default 1,800,000. */
  readonly archiveTimeout: number
  /** Number of retries after a transient failure. Default 2. */
  readonly retries: number
  /** Delay before the first retry; it doubles with each further one. Default 500. */
  readonly retryDelay: number
}

export type CompleteSettings = Required<Omit<InstallerSettings, 'limits'>> & { readonly limits: InstallLimits }

/** Fills in the defaults. */
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
  document: 2 * 2 ** 20,
  archive: 2 * 2 ** 30,
  unpacked: 8 * 2 ** 30,
  entries: 10_000,
  ratio: 100,
  redirects: 10,
  idleTimeout: 30_000,
  documentTimeout: 60_000,
  archiveTimeout: 1_800_000,
  retries: 2,
  retryDelay: 500,
}

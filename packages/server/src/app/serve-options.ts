import { join, resolve } from 'node:path'
import { addressRange } from '../admission/index.ts'
import { type TlsSettings, tlsSettings } from '../http/index.ts'
import { type SourceRule, sourceRuleFromText } from '../provider/index.ts'
import type { CertificateFilePaths } from './certificate-files.ts'
import {
  limitOf,
  millisecondsOf,
  type ProviderLimitOptions,
  type ProviderLimits,
  providerLimitsFrom,
} from './provider-limits.ts'

/** The options of `hykube serve`. */
export interface ServeOptions extends ProviderLimitOptions {
  /** The data directory. Default `./hykube-data`. */
  readonly dataDirectory?: string | undefined
  /** 0 picks a free port. Default 6443. */
  readonly port?: number | undefined
  /** Default 127.0.0.1. */
  readonly bind?: string | undefined
  /** Default `sqlite:`, a file in the data directory. */
  readonly store?: string | undefined
  /** CSV of static tokens, as kube-apiserver reads it. Default: none. */
  readonly tokenAuthFile?: string | undefined
  /** Additional CA certificates for client certificates, in PEM. Default: none. */
  readonly clientCaFile?: string | undefined
  /** The longest validity of a service account token as a duration; longer requests are shortened to it. Default 48h. */
  readonly serviceAccountMaxTokenExpiration?: string | undefined
  /** True treats requests without credentials as `system:anonymous`; otherwise they get 401. Default true; always false with AlwaysAllow. */
  readonly anonymousAuth?: boolean | undefined
  /** The serving certificate with its intermediates, in PEM. Default: one signed by the server's own CA. */
  readonly tlsCertFile?: string | undefined
  /** The key of the serving certificate. */
  readonly tlsPrivateKeyFile?: string | undefined
  /** VersionTLS12 or VersionTLS13. Default VersionTLS12. */
  readonly tlsMinVersion?: string | undefined
  /** IANA names of cipher suites for TLS 1.2. Default: those with authenticated encryption. */
  readonly tlsCipherSuites?: readonly string[] | undefined
  /** Default RBAC. */
  readonly authorizationMode?: 'RBAC' | 'AlwaysAllow' | undefined
  /** A file with the master key, managed by the operator. Default: `master.key` in the data directory, which the server creates. */
  readonly masterKeyFile?: string | undefined
  /** A command that prints the master key, such as a KMS client; split at spaces and run without a shell. Default: none. */
  readonly masterKeyCommand?: string | undefined
  /** The IPv4 range of Service addresses. Default 10.96.0.0/12. */
  readonly serviceAddressRange?: string | undefined
  /** Logical clusters in addition to root. Default: none. */
  readonly clusters?: readonly string[] | undefined
  /** Simulates workloads: sets their status as if they ran (true or `running`), or as if no node had accepted their pods (`waiting`). Default false. */
  readonly paperWorkloads?: boolean | 'running' | 'waiting' | undefined
  /** Allows `hykube/script` to run commands on the server's host. Default false: only over SSH. */
  readonly allowLocalScripts?: boolean | undefined
  /** The provider sources that logical clusters may install, as `[CLUSTER=]PATTERN`. Default: verified ones in root, none elsewhere. */
  readonly providerSources?: readonly string[] | undefined
  /** The uids of provider processes when the server runs as root, as `FIRST-LAST`. Default 60578-61183. */
  readonly providerUidRange?: string | undefined
  /** Directories that belong to the user of a provider, as `[CLUSTER/]NAME=DIR`. Default: none. */
  readonly providerPaths?: readonly string[] | undefined
  /** Non-public networks, addresses and hosts that package installation may connect to. Default: none. */
  readonly egressAllow?: readonly string[] | undefined
  /** Filesystem mirrors of providers, searched first. Default: none. */
  readonly providerDirectories?: readonly string[] | undefined
  /** The host of provider sources without a host. Default registry.terraform.io. */
  readonly providerRegistry?: string | undefined
  /** True requires that another user than the author approves a plan. Default false. */
  readonly requireSecondApprover?: boolean | undefined
  /** Days for which finished plans are kept. Default 30. */
  readonly planRetentionDays?: number | undefined
  /** Seconds that running provider calls have to finish when the server stops. Default 300. */
  readonly shutdownGraceSeconds?: number | undefined
  /** Open connections in total. Default 10,000. */
  readonly maxConnections?: number | undefined
  /** Open connections from one address; IPv6 addresses of one /64 count together. Default 2,000. */
  readonly maxConnectionsPerAddress?: number | undefined
  /** The log verbosity: 0 for errors and important information, 2 for every request. Default 0. */
  readonly verbosity?: number | undefined
  /** Hykube's version, for `/version`. */
  readonly version: string
}

/** The options with every default filled in. */
export type CompleteServeOptions = {
  readonly [K in Exclude<keyof ServeOptions, Converted>]-?: NonNullable<ServeOptions[K]>
} & {
  readonly providerLimits: ProviderLimits
  readonly providerSources: readonly SourceRule[]
  readonly providerUids: readonly [number, number]
  /** By `CLUSTER/NAME`. */
  readonly providerPaths: ReadonlyMap<string, readonly string[]>
  readonly maxTokenSeconds: number
  readonly certificateFiles: CertificateFilePaths | undefined
  readonly tls: TlsSettings
}

type Converted =
  | keyof ProviderLimitOptions
  | 'providerSources'
  | 'providerUidRange'
  | 'providerPaths'
  | 'serviceAccountMaxTokenExpiration'
  | 'tlsCertFile'
  | 'tlsPrivateKeyFile'
  | 'tlsMinVersion'
  | 'tlsCipherSuites'

export function completeServeOptions(given: ServeOptions): CompleteServeOptions {
  const port = given.port ?? 6443
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(`--port is ${given.port}, but must be from 0 to 65535`)
  if (given.masterKeyFile && given.masterKeyCommand)
    throw new Error('--master-key-file and --master-key-command exclude each other')
  for (const cluster of given.clusters ?? [])
    if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(cluster))
      throw new Error(
        `--cluster is ${JSON.stringify(cluster)}, but must be lower case letters, digits and dashes, at most 63`,
      )
  return {
    dataDirectory: resolve(given.dataDirectory ?? 'hykube-data'),
    port,
    bind: given.bind ?? '127.0.0.1',
    store: given.store ?? 'sqlite:',
    tokenAuthFile: given.tokenAuthFile ?? '',
    clientCaFile: given.clientCaFile ?? '',
    maxTokenSeconds: maxTokenSeconds(given.serviceAccountMaxTokenExpiration ?? '48h'),
    anonymousAuth: anonymousAuth(given),
    certificateFiles: certificateFiles(given),
    tls: tlsSettings(given.tlsMinVersion ?? 'VersionTLS12', cipherSuites(given)),
    authorizationMode: given.authorizationMode ?? 'RBAC',
    masterKeyFile: given.masterKeyFile ?? '',
    masterKeyCommand: given.masterKeyCommand ?? '',
    serviceAddressRange: checkedRange(given.serviceAddressRange ?? '10.96.0.0/12'),
    clusters: given.clusters ?? [],
    paperWorkloads: given.paperWorkloads ?? false,
    allowLocalScripts: given.allowLocalScripts ?? false,
    providerSources: (given.providerSources ?? []).map(sourceRuleFromText),
    providerUids: uidsFrom(given.providerUidRange ?? '60578-61183'),
    providerPaths: pathsFrom(given.providerPaths ?? []),
    egressAllow: given.egressAllow ?? [],
    // Made absolute, because provider processes have their own working directories.
    providerDirectories: (given.providerDirectories ?? []).map((directory) => resolve(directory)),
    providerRegistry: given.providerRegistry ?? 'registry.terraform.io',
    providerLimits: providerLimitsFrom(given),
    requireSecondApprover: given.requireSecondApprover ?? false,
    planRetentionDays: checkedDays(given.planRetentionDays ?? 30),
    shutdownGraceSeconds: given.shutdownGraceSeconds ?? 300,
    maxConnections: checkedCount('--max-connections', given.maxConnections ?? 10_000),
    maxConnectionsPerAddress: checkedCount('--max-connections-per-address', given.maxConnectionsPerAddress ?? 2000),
    verbosity: given.verbosity ?? 0,
    version: given.version,
  }
}

// Like kube-apiserver, disables anonymous requests when every request is allowed.
function anonymousAuth({ anonymousAuth: wanted = true, authorizationMode }: ServeOptions): boolean {
  if (typeof wanted !== 'boolean')
    throw new Error(`--anonymous-auth is ${JSON.stringify(wanted)}, but must be true or false`)
  return wanted && authorizationMode !== 'AlwaysAllow'
}

function cipherSuites({ tlsCipherSuites: names = [] }: ServeOptions): readonly string[] {
  if (!Array.isArray(names)) throw new Error('--tls-cipher-suites must be a list of names')
  return names as readonly string[]
}

function certificateFiles(given: ServeOptions): CertificateFilePaths | undefined {
  const { tlsCertFile: certificateFile = '', tlsPrivateKeyFile: keyFile = '' } = given
  if ((certificateFile === '') !== (keyFile === ''))
    throw new Error('--tls-cert-file and --tls-private-key-file must be given together')
  return certificateFile === '' ? undefined : { certificateFile: resolve(certificateFile), keyFile: resolve(keyFile) }
}

// kube-apiserver's range: one hour to 2^32 seconds.
function maxTokenSeconds(given: string): number {
  return limitOf('--service-account-max-token-expiration', given, '1h', `${2 ** 32}s`, millisecondsOf) / 1000
}

function checkedCount(flag: string, count: number): number {
  if (!Number.isInteger(count) || count < 1)
    throw new Error(`${flag} is ${count}, but must be an integer of at least 1`)
  return count
}

// The default is a range that no operating system assigns to users or services.
function uidsFrom(text: string): readonly [number, number] {
  const [, first, last] = /^(\d{1,10})-(\d{1,10})$/.exec(text) ?? []
  if (first === undefined || Number(first) < 1 || Number(first) > Number(last) || Number(last) > 4_294_967_293)
    throw new Error(`--provider-uid-range is ${JSON.stringify(text)}, but must be FIRST-LAST, without 0`)
  return [Number(first), Number(last)]
}

function pathsFrom(texts: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, readonly string[]>()
  for (const text of texts) {
    const [, cluster = 'root', name, directory] = /^(?:([a-z0-9-]+)\/)?([a-z0-9-]+)=(\/.*)$/.exec(text) ?? []
    if (name === undefined || directory === undefined)
      throw new Error(`--provider-path is ${JSON.stringify(text)}, but must be [CLUSTER/]NAME=DIR with an absolute DIR`)
    const owner = `${cluster}/${name}`
    paths.set(owner, [...(paths.get(owner) ?? []), directory])
  }
  return paths
}

function checkedDays(days: number): number {
  if (!(days >= 0)) throw new Error(`--keep-plans is ${days}, but must be a number of days`)
  return days
}

function checkedRange(cidr: string): string {
  try {
    return addressRange(cidr).cidr
  } catch (error) {
    throw new Error(`--service-cluster-ip-range: ${(error as Error).message}`)
  }
}

/** Returns the file of the default store. */
export function defaultStoreFile(dataDirectory: string): string {
  return join(dataDirectory, 'hykube.db')
}

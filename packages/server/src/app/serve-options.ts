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

/** What `hykube serve` is told. */
export interface ServeOptions extends ProviderLimitOptions {
  /** Where everything is kept. Default `./hykube-data`. */
  readonly dataDirectory?: string | undefined
  /** 0 picks a free port. Default 6443. */
  readonly port?: number | undefined
  /** Default 127.0.0.1. */
  readonly bind?: string | undefined
  /** Default `sqlite:`, a file in the data directory. */
  readonly store?: string | undefined
  /** CSV of static tokens, as kube-apiserver reads it. Default: none. */
  readonly tokenAuthFile?: string | undefined
  /** Further authorities whose client certificates are believed, in PEM. Default: none. */
  readonly clientCaFile?: string | undefined
  /** The longest validity of a service account token, as a duration; requests for more get this. Default 48h. */
  readonly serviceAccountMaxTokenExpiration?: string | undefined
  /** Whether requests without credentials are those of `system:anonymous`; otherwise they are 401. Default true; never with AlwaysAllow. */
  readonly anonymousAuth?: boolean | undefined
  /** The certificate to serve with, and those between it and its authority, in PEM. Default: one of the server's own authority. */
  readonly tlsCertFile?: string | undefined
  /** Its key. */
  readonly tlsPrivateKeyFile?: string | undefined
  /** VersionTLS12 or VersionTLS13. Default VersionTLS12. */
  readonly tlsMinVersion?: string | undefined
  /** Names of IANA, for TLS 1.2. Default: those with authenticated encryption. */
  readonly tlsCipherSuites?: readonly string[] | undefined
  /** Default RBAC. */
  readonly authorizationMode?: 'RBAC' | 'AlwaysAllow' | undefined
  /** A file with the key that wraps data keys, kept by somebody else. Default: `master.key` in the data directory, made there. */
  readonly masterKeyFile?: string | undefined
  /** A command that prints that key, such as the client of a key service; words separated by blanks, no shell. Default: none. */
  readonly masterKeyCommand?: string | undefined
  /** The IPv4 range that services get their addresses from. Default 10.96.0.0/12. */
  readonly serviceAddressRange?: string | undefined
  /** Logical clusters beside root. Default: none. */
  readonly clusters?: readonly string[] | undefined
  /** Sets the status of workloads as if they ran (true), or as if no node had taken their pods. Default false. */
  readonly paperWorkloads?: boolean | 'running' | 'waiting' | undefined
  /** Lets `hykube/script` run commands on the host of the server. Default false: over SSH only. */
  readonly allowLocalScripts?: boolean | undefined
  /** Which provider sources logical clusters may install, as `[CLUSTER=]PATTERN`. Default: root verified ones, others none. */
  readonly providerSources?: readonly string[] | undefined
  /** The uids that provider processes get where the server is root, as `FIRST-LAST`. Default 60578-61183. */
  readonly providerUidRange?: string | undefined
  /** Directories that belong to the user of a provider, as `[CLUSTER/]NAME=DIR`. Default: none. */
  readonly providerPaths?: readonly string[] | undefined
  /** Networks, addresses and hosts that package installation may reach although they are not public. Default: none. */
  readonly egressAllow?: readonly string[] | undefined
  /** Filesystem mirrors of providers, asked before anything else. Default: none. */
  readonly providerDirectories?: readonly string[] | undefined
  /** The host of provider sources that name none. Default registry.terraform.io. */
  readonly providerRegistry?: string | undefined
  /** Whether a plan must be approved by somebody else than its author. Default false. */
  readonly requireSecondApprover?: boolean | undefined
  /** How many days finished plans are kept. Default 30. */
  readonly planRetentionDays?: number | undefined
  /** How long running provider calls may take to end when the server stops, in seconds. Default 300. */
  readonly shutdownGraceSeconds?: number | undefined
  /** Open connections in total. Default 10,000. */
  readonly maxConnections?: number | undefined
  /** Open connections from one address; IPv6 addresses of one /64 count together. Default 2,000. */
  readonly maxConnectionsPerAddress?: number | undefined
  /** How much is logged: 0 failures and what an operator must know, 2 every request. Default 0. */
  readonly verbosity?: number | undefined
  /** Hykube's own version, for `/version`. */
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
    throw new Error(`--port is ${given.port}, and must be from 0 to 65535`)
  if (given.masterKeyFile && given.masterKeyCommand)
    throw new Error('--master-key-file and --master-key-command name two keys; give one')
  for (const cluster of given.clusters ?? [])
    if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(cluster))
      throw new Error(
        `--cluster is ${JSON.stringify(cluster)}, and must be lower case letters, digits and dashes, at most 63`,
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
    // A provider's process has a working directory of its own.
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

// As kube-apiserver: where everything is allowed, it is allowed to users that are known.
function anonymousAuth({ anonymousAuth: wanted = true, authorizationMode }: ServeOptions): boolean {
  if (typeof wanted !== 'boolean')
    throw new Error(`--anonymous-auth is ${JSON.stringify(wanted)}, and must be true or false`)
  return wanted && authorizationMode !== 'AlwaysAllow'
}

function cipherSuites({ tlsCipherSuites: names = [] }: ServeOptions): readonly string[] {
  if (!Array.isArray(names)) throw new Error('--tls-cipher-suites must be a list of names')
  return names as readonly string[]
}

function certificateFiles(given: ServeOptions): CertificateFilePaths | undefined {
  const { tlsCertFile: certificateFile = '', tlsPrivateKeyFile: keyFile = '' } = given
  if ((certificateFile === '') !== (keyFile === ''))
    throw new Error('--tls-cert-file and --tls-private-key-file belong together; give both')
  return certificateFile === '' ? undefined : { certificateFile: resolve(certificateFile), keyFile: resolve(keyFile) }
}

// The range of kube-apiserver: an hour, and 2^32 seconds.
function maxTokenSeconds(given: string): number {
  return limitOf('--service-account-max-token-expiration', given, '1h', `${2 ** 32}s`, millisecondsOf) / 1000
}

function checkedCount(flag: string, count: number): number {
  if (!Number.isInteger(count) || count < 1)
    throw new Error(`${flag} is ${count}, and must be a whole number from 1 on`)
  return count
}

// The default is a range that no operating system gives to users or services.
function uidsFrom(text: string): readonly [number, number] {
  const [, first, last] = /^(\d{1,10})-(\d{1,10})$/.exec(text) ?? []
  if (first === undefined || Number(first) < 1 || Number(first) > Number(last) || Number(last) > 4_294_967_293)
    throw new Error(`--provider-uid-range is ${JSON.stringify(text)}, and must be FIRST-LAST, without 0`)
  return [Number(first), Number(last)]
}

function pathsFrom(texts: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, readonly string[]>()
  for (const text of texts) {
    const [, cluster = 'root', name, directory] = /^(?:([a-z0-9-]+)\/)?([a-z0-9-]+)=(\/.*)$/.exec(text) ?? []
    if (name === undefined || directory === undefined)
      throw new Error(`--provider-path is ${JSON.stringify(text)}, and must be [CLUSTER/]NAME=DIR with an absolute DIR`)
    const owner = `${cluster}/${name}`
    paths.set(owner, [...(paths.get(owner) ?? []), directory])
  }
  return paths
}

function checkedDays(days: number): number {
  if (!(days >= 0)) throw new Error(`--keep-plans is ${days}, and must be a number of days`)
  return days
}

function checkedRange(cidr: string): string {
  try {
    return addressRange(cidr).cidr
  } catch (error) {
    throw new Error(`--service-cluster-ip-range: ${(error as Error).message}`)
  }
}

/** The file of the default store. */
export function defaultStoreFile(dataDirectory: string): string {
  return join(dataDirectory, 'hykube.db')
}

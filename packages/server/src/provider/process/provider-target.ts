import type { LogLevel } from '@hykube/tfplugin/handshake'
import type {
  ExtensionsClient,
  IdentitySchemas,
  ProtocolVersion,
  ProviderClient,
  ProviderDiagnostic,
  ProviderSchema,
} from '@hykube/tfplugin/protocol'
import type { Value } from '@hykube/tfplugin/value'
import type { InstalledPackage } from '../install/index.ts'
import type { ProcessIdentity } from './process-identity.ts'

/** What is run: an installed package is one. */
export type ProviderPackage = Pick<InstalledPackage, 'source' | 'version' | 'executable' | 'hash'> &
  Partial<Pick<InstalledPackage, 'directory' | 'content' | 'builtIn' | 'schemaKey'>>

/** Which provider is asked, and how it is configured. Equal owners, package hashes and keys share a process. */
export interface ProviderTarget {
  readonly package: ProviderPackage
  /** Whose it is: what has different owners shares nothing. */
  readonly owner: string
  readonly configuration: ProviderConfiguration
}

export interface ProviderConfiguration {
  /** Different for different contents of the fields below; it holds no secret itself. */
  readonly key: string
  /** In the shape of the provider's own schema; undefined: it is not configured, and can only be asked what needs no configuration. */
  readonly config: Value | undefined
  /** Variables for the process besides the few that every one gets. Default none. */
  readonly environment?: Readonly<Record<string, string>>
  /** Where it runs, the same each time and its own: it is made, for nobody else to look into. */
  readonly workDirectory: string
  /** It runs programs that need an entry of their user in /etc/passwd. Default false. */
  readonly needsAccount?: boolean
  /** Strings that must not reach a log or message, besides what the schema calls sensitive. Default none. */
  readonly secrets?: readonly string[]
}

/** A provider that is ready, as work sees it; not to be kept when the work is over. Calls fail with ProviderFailure. */
export interface ProviderSession {
  readonly client: ProviderClient
  /** Absent when the provider was not made with our SDK. */
  readonly extensions: ExtensionsClient | undefined
  readonly schema: ProviderSchema
  readonly identitySchemas: IdentitySchemas['identitySchemas']
  /** What it said when it was configured; no errors. */
  readonly warnings: readonly ProviderDiagnostic[]
  /** For the journal: who must be dead before somebody else decides about an open call. */
  readonly process: ProcessIdentity
}

/** What a provider says of itself, without being configured. */
export interface PackageSchema {
  readonly protocolVersion: ProtocolVersion
  readonly schema: ProviderSchema
  readonly identitySchemas: IdentitySchemas['identitySchemas']
}

/** One thing that a provider's process said, without secrets. */
export interface ProviderLog {
  readonly source: string
  /** The configuration's key; empty when the process was asked for its schema only. */
  readonly configuration: string
  readonly level: LogLevel
  readonly message: string
  readonly module?: string
  readonly fields?: Readonly<Record<string, unknown>>
}

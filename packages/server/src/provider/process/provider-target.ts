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
import type { InstalledPackage } from '../install/installed-package.ts'
import type { ProcessIdentity } from './system/process-identity.ts'

/** The part of an installed package that is needed to run it. */
export type ProviderPackage = Pick<InstalledPackage, 'source' | 'version' | 'executable' | 'hash'> &
  Partial<Pick<InstalledPackage, 'directory' | 'content' | 'builtIn' | 'schemaKey'>>

/** A provider and its configuration. Calls with equal owner, source, package hash and configuration key share a process. */
export interface ProviderTarget {
  readonly package: ProviderPackage
  /** `CLUSTER/NAME` of the Provider. Different owners share neither process nor user nor directory. */
  readonly owner: string
  readonly configuration: ProviderConfiguration
}

export interface ProviderConfiguration {
  /** Identifies the content of the fields below; contains no secret. */
  readonly key: string
  /** A value of the provider's configuration schema. Undefined: the process is not configured, and serves only calls without configuration. */
  readonly config: Value | undefined
  /** Environment variables in addition to the allowlist. Default: none. */
  readonly environment?: Readonly<Record<string, string>>
  /** The working directory, private to this configuration and created on demand. */
  readonly workDirectory: string
  /** The process runs programs that need an entry of their user in /etc/passwd. Default false. */
  readonly needsAccount?: boolean
  /** Strings to scrub from logs and messages, in addition to sensitive attributes. Default: none. */
  readonly secrets?: readonly string[]
}

/** A configured provider, valid for the duration of one `use`. Calls fail with ProviderFailure. */
export interface ProviderSession {
  readonly client: ProviderClient
  /** Absent if the provider does not implement Hykube's batch extensions. */
  readonly extensions: ExtensionsClient | undefined
  readonly schema: ProviderSchema
  readonly identitySchemas: IdentitySchemas['identitySchemas']
  /** The warnings of its configuration. */
  readonly warnings: readonly ProviderDiagnostic[]
  /** Recorded in the journal: the process must have exited before another server decides about its open calls. */
  readonly process: ProcessIdentity
}

/** The schemas of a package, which need no configuration. */
export interface PackageSchema {
  readonly protocolVersion: ProtocolVersion
  readonly schema: ProviderSchema
  readonly identitySchemas: IdentitySchemas['identitySchemas']
}

/** A log line of a provider process, scrubbed of secrets. */
export interface ProviderLog {
  readonly source: string
  /** The configuration's key; empty for a process started only for its schema. */
  readonly configuration: string
  readonly level: LogLevel
  readonly message: string
  readonly module?: string
  readonly fields?: Readonly<Record<string, unknown>>
}

/** The package that a Provider's spec requests. */
export interface InstallRequest {
  /** `[host/]namespace/type`, `file:///DIR` or an absolute path. Required unless one of the download fields is set. */
  readonly source?: string
  /** In Terraform's constraint syntax. Default: any release. */
  readonly version?: string
  /** The URL of an archive or executable. It is not signed; `#sha256=…` at its end, or the lock, pins its content. */
  readonly downloadUrl?: string
  /** `terraform-provider-TYPE`: without a URL, HashiCorp's provider of that type. */
  readonly downloadName?: string
  /** The logical cluster that the package is installed for. Default root. */
  readonly cluster?: string
  /** The previously installed package; binding as long as it satisfies `version`. */
  readonly lock?: PackageLock
}

/** Pins the exact package that was installed, so that later installations use the same content. */
export interface PackageLock {
  /** The full address, the path or the URL that the package came from. */
  readonly source: string
  readonly version: string
  /** `h1:` of the unpacked files, and `zh:` of every archive in the release's signed SHA256SUMS. */
  readonly hashes: readonly string[]
}

/** A package that is ready to run. */
export interface InstalledPackage {
  /** The normalized source, equal to the lock's. */
  readonly source: string
  readonly version: string
  /** The directory of its files. Read-only: the cache shares it between Providers. */
  readonly directory: string
  readonly executable: string
  /** `h1:` of its files; depends on their content only, not on the source. */
  readonly hash: string
  readonly lock: PackageLock
  /** The files covered by `hash`, which are verified before each start. Absent for built-in providers, which are not verified. */
  readonly content?: 'directory' | 'executable'
  /** The provider is part of the server. */
  readonly builtIn?: true
  /** The key of its cached schema, if `hash` doesn't cover everything that runs. Default: `hash`. */
  readonly schemaKey?: string
  /** The finder, path or URL that it came from, for messages. */
  readonly origin: string
  /** Warnings for the operator: an expired key, a missing signature, warnings of the registry. */
  readonly warnings: readonly string[]
}

/** The package that an installation would choose. */
export interface ResolvedPackage {
  readonly source: string
  readonly version: string
  /** The version comes from the lock. */
  readonly locked: boolean
  readonly origin: string
  readonly warnings: readonly string[]
}

/** The current step of an installation. */
export type InstallProgress =
  | { readonly kind: 'resolving'; readonly source: string }
  | { readonly kind: 'downloading'; readonly url: string; readonly received: number; readonly total?: number }
  | { readonly kind: 'verifying'; readonly version: string }
  | { readonly kind: 'unpacking'; readonly version: string }
  | { readonly kind: 'installed'; readonly version: string }

export interface InstallOptions {
  /** Called often; must not throw. */
  readonly progress?: (progress: InstallProgress) => void
  readonly signal?: AbortSignal
}

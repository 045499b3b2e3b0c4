/** What a Provider asks for. */
export interface InstallRequest {
  /** `[host/]namespace/type`, `file:///DIR` or an absolute path. Needed unless one of the download fields is there. */
  readonly source?: string
  /** In Terraform's constraint syntax. Default: any release. */
  readonly version?: string
  /** The address of an archive or executable. It is not signed: `#sha256=…` at its end, or the lock, says what it must be. */
  readonly downloadUrl?: string
  /** `terraform-provider-TYPE`: without a URL, HashiCorp's provider of that type. */
  readonly downloadName?: string
  /** The logical cluster that it is for. Default root. */
  readonly cluster?: string
  /** What was installed before; it is kept to as long as it meets `version`. */
  readonly lock?: PackageLock
}

/** Exactly which package was installed, so that the next installation can't be another one. */
export interface PackageLock {
  /** The full address, the path or the URL that the package came from. */
  readonly source: string
  readonly version: string
  /** `h1:` of the unpacked files, and `zh:` of every archive that its maker signed together with it. */
  readonly hashes: readonly string[]
}

/** A package that is ready to run. */
export interface InstalledPackage {
  /** As in the lock. */
  readonly source: string
  readonly version: string
  /** Where its files are; not to be written to. */
  readonly directory: string
  readonly executable: string
  /** `h1:` of its files: equal for equal content, wherever it came from. */
  readonly hash: string
  readonly lock: PackageLock
  /** What `hash` covers, which is checked before each start: the directory, or the executable alone. Absent for code of the server. */
  readonly content?: 'directory' | 'executable'
  /** It comes with the server. */
  readonly builtIn?: true
  /** Where schemas of this package are kept apart from those of equal hashes: the hash covers less than what runs. Default: the hash. */
  readonly schemaKey?: string
  /** Where it was found, for people. */
  readonly origin: string
  /** What an operator should know: an expired key, a missing signature, what the registry says. */
  readonly warnings: readonly string[]
}

/** Which package an installation would take. */
export interface ResolvedPackage {
  readonly source: string
  readonly version: string
  /** Whether the lock decided. */
  readonly locked: boolean
  readonly origin: string
  readonly warnings: readonly string[]
}

/** How far an installation is. */
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

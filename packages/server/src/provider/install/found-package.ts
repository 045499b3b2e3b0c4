import type { ProviderAddress, Version } from '../source/index.ts'
import type { InstallProgress } from './installed-package.ts'

/** A version that somebody has. */
export interface FoundVersion {
  readonly version: Version
  /** The major provider protocols that it speaks, where that is known. */
  readonly protocols?: readonly number[]
  /** What it was built for, where that is known. */
  readonly platforms?: readonly string[]
  /** It does not say which version it is, and stands for whichever is wanted. */
  readonly anyVersion?: boolean
}

export interface FoundVersions {
  readonly versions: readonly FoundVersion[]
  readonly warnings: readonly string[]
}

/** A package that was brought here, or was here already. */
export type ObtainedPackage = (
  | {
      readonly kind: 'archive'
      /** Absent: this archive was unpacked before, so that it need not be brought again. */
      readonly file?: string
      readonly sha256: string
      /** Hashes that its signer vouches for. */
      readonly trusted: readonly string[]
      /** One of these must be its hash, unless there are none. */
      readonly expected: readonly string[]
    }
  | {
      readonly kind: 'directory'
      readonly directory: string
      /** The SHA-256 of the download that it was made from: it lies in the workspace and is to be kept. */
      readonly downloaded?: string
    }
  | { readonly kind: 'executable'; readonly executable: string }
) & { readonly warnings: readonly string[] }

export interface FindOptions {
  readonly signal?: AbortSignal | undefined
}

export interface ObtainOptions extends FindOptions {
  /** A directory of this installation alone, taken away when it ends. */
  readonly workspace: string
  /** Whether a package may be taken that nobody vouches for. */
  readonly allowsUnsigned: boolean
  /** Whether an archive of this SHA-256 was unpacked before. */
  readonly isUnpacked: (sha256: string) => Promise<boolean>
  readonly progress: (progress: InstallProgress) => void
}

/** Somebody who has packages: a registry, a mirror, a directory. Fails with InstallFailure. */
export interface PackageFinder {
  /** For people: `the registry example.com`. */
  readonly name: string
  /** Fails with NotFound when it does not know the address at all. */
  find(address: ProviderAddress, options: FindOptions): Promise<FoundVersions>
  obtain(address: ProviderAddress, version: Version, options: ObtainOptions): Promise<ObtainedPackage>
}

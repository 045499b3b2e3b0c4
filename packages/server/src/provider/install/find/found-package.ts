import type { ProviderAddress, Version } from '../../source/index.ts'
import type { InstallProgress } from '../installed-package.ts'

/** A version that a finder lists. */
export interface FoundVersion {
  readonly version: Version
  /** The major protocol versions that it supports. Absent: unknown. */
  readonly protocols?: readonly number[]
  /** The platforms that it is built for. Absent: unknown. */
  readonly platforms?: readonly string[]
}

export interface FoundVersions {
  readonly versions: readonly FoundVersion[]
  readonly warnings: readonly string[]
}

/** A package that was downloaded, or is on this machine already. */
export type ObtainedPackage = (
  | {
      readonly kind: 'archive'
      /** Absent: this archive is unpacked in the cache already, so it was not downloaded. */
      readonly file?: string
      readonly sha256: string
      /** Hashes of the release's archives for all platforms, from the signed SHA256SUMS; added to the lock. */
      readonly trusted: readonly string[]
      /** The archive must have one of these hashes; empty: any hash is accepted. */
      readonly expected: readonly string[]
    }
  | {
      readonly kind: 'directory'
      readonly directory: string
      /** The SHA-256 of the download. Present: the directory is in the workspace and must be moved into the cache. */
      readonly downloaded?: string
    }
  | { readonly kind: 'executable'; readonly executable: string }
) & { readonly warnings: readonly string[] }

export interface FindOptions {
  readonly signal?: AbortSignal | undefined
}

export interface ObtainOptions extends FindOptions {
  /** A directory for this installation only, removed when it ends. */
  readonly workspace: string
  /** Accepts packages without a signature or checksum. */
  readonly allowsUnsigned: boolean
  /** Returns whether the cache has the unpacked files of the archive with this SHA-256. */
  readonly isUnpacked: (sha256: string) => Promise<boolean>
  readonly progress: (progress: InstallProgress) => void
}

/** A place where packages are listed and obtained: a registry, a mirror, a directory. Fails with InstallFailure. */
export interface PackageFinder {
  /** The name used in messages: `the registry example.com`. */
  readonly name: string
  /** Fails with NotFound if it has no version of the address. */
  find(address: ProviderAddress, options: FindOptions): Promise<FoundVersions>
  obtain(address: ProviderAddress, version: Version, options: ObtainOptions): Promise<ObtainedPackage>
}

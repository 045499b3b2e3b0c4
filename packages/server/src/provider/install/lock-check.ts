import { allowsVersion, versionFromText } from '../source/index.ts'
import type { AskedPackage } from './asked-package.ts'
import { InstallFailure } from './install-failure.ts'
import type { PackageLock } from './installed-package.ts'

/** The lock of a request, as long as it is of this source and meets the constraint. */
export function applicableLock({ lock, source, constraint }: AskedPackage): PackageLock | undefined {
  if (lock === undefined || lock.source !== source) return undefined
  const version = versionFromText(lock.version)
  return version !== undefined && allowsVersion(constraint, version) ? lock : undefined
}

/** Fails with LockMismatch unless one of the package's hashes is in the lock. */
export function checkLock(lock: PackageLock | undefined, hashes: readonly string[], origin: string): void {
  if (lock === undefined || lock.hashes.length === 0) return
  if (hashes.some((hash) => lock.hashes.includes(hash))) return
  throw new InstallFailure(
    'LockMismatch',
    `${origin} has another package of version ${lock.version} than was locked: its hashes ${hashes.join(' and ')} are not in the lock; find out why; if the new one is right, remove the lock: kubectl patch provider NAME --subresource=status --type=json -p '[{"op":"remove","path":"/status/lock"}]'`,
  )
}

/** The hashes of a lock, without repetition and in order. */
export function lockHashes(...hashes: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(hashes.flat())].sort()
}

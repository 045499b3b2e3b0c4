import { allowsVersion, versionFromText } from '../source/index.ts'
import { InstallFailure } from './install-failure.ts'
import type { PackageLock } from './installed-package.ts'
import type { ParsedRequest } from './parsed-request.ts'

/** The request's lock, if it is for the same source and satisfies the version constraint; otherwise it is ignored. */
export function applicableLock({ lock, source, constraint }: ParsedRequest): PackageLock | undefined {
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
    `${origin} has a different package of version ${lock.version} than the locked one: its hashes ${hashes.join(' and ')} are not in the lock; find out why it changed; if the new one is correct, remove the lock: kubectl patch provider NAME --subresource=status --type=json -p '[{"op":"remove","path":"/status/lock"}]'`,
  )
}

/** Merges hashes for a lock: unique and sorted, so that an equal package gives an equal lock. */
export function lockHashes(...hashes: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(hashes.flat())].sort()
}

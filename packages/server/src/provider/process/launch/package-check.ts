import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { directoryHash, fileHash } from '../../install/verify/package-hash.ts'
import { ProviderFailure } from '../provider-failure.ts'
import type { ProviderPackage } from '../provider-target.ts'

/**
 * Fails unless the files of a package are the installed ones. Files are hashed again only if the device, inode, size or a time of
 * one of them has changed since the last check.
 */
export async function checkUnchanged(given: ProviderPackage): Promise<void> {
  const { content, directory, executable, hash } = given
  if (content === undefined || directory === undefined) return
  const seen = await signatureOf(content === 'directory' ? directory : executable)
  const key = `${hash} ${executable}`
  if (checked.get(key) === seen) return
  const found = content === 'directory' ? await directoryHash(directory) : await fileHash(executable)
  if (found !== hash)
    throw new ProviderFailure(
      'PackageChanged',
      `cannot start the provider ${given.source} ${given.version}: ${content === 'directory' ? directory : executable} was changed after it was installed; if the change is intended, reinstall it: run hykube providers upgrade, or restart the server`,
      { sent: false },
    )
  checked.set(key, seen)
}

// The file metadata at the last successful check, by package. One entry for each package, so it needs no bound.
const checked = new Map<string, string>()

async function signatureOf(path: string): Promise<string> {
  const info = await stat(path, { bigint: true }).catch(() => undefined)
  if (info === undefined) return ''
  const own = `${info.dev} ${info.ino} ${info.size} ${info.mtimeNs} ${info.ctimeNs}`
  if (!info.isDirectory()) return own
  const names = (await readdir(path)).sort()
  return [own, ...(await Promise.all(names.map((name) => signatureOf(join(path, name)))))].join('\n')
}

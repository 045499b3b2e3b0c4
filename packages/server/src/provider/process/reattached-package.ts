import type { InstalledPackage } from '../install/index.ts'

/** What stands for the package of a provider that somebody else runs: there is nothing to install. */
export function reattachedPackage(source: string): InstalledPackage {
  const version = '0.0.0'
  return {
    ...{ source, version, directory: '', executable: '' },
    hash: `reattached:${source}`,
    lock: { source, version, hashes: [] },
    origin: 'TF_REATTACH_PROVIDERS',
    warnings: [`${source} is run by somebody else, as TF_REATTACH_PROVIDERS says`],
  }
}

import { InstallFailure } from './install-failure.ts'

/** The lines of a SHA256SUMS file: the hash of each file in hexadecimal, by the file's name. */
export type Checksums = ReadonlyMap<string, string>

/** Reads a SHA256SUMS file. Fails with RegistryInvalid. */
export function parseChecksums(text: string, what: string): Checksums {
  const sums = new Map<string, string>()
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const match = /^([0-9a-fA-F]{64})[ \t]+\*?(\S+)\s*$/.exec(line)
    if (sums.size >= mostSums)
      throw new InstallFailure(
        'RegistryInvalid',
        `${what} has more than ${mostSums} lines; a release has one for each platform`,
      )
    if (match === null) throw new InstallFailure('RegistryInvalid', `${what} has a line that is no checksum`)
    sums.set(match[2]!, match[1]!.toLowerCase())
  }
  return sums
}

// They are kept in the lock of the Provider.
const mostSums = 200

/** Every line as a hash of a lock. */
export function archiveHashes(sums: Checksums): readonly string[] {
  return [...new Set([...sums.values()].map((sum) => `zh:${sum}`))].sort()
}

import { InstallFailure } from '../install-failure.ts'

/** The lines of a SHA256SUMS file: the hash of each file in hexadecimal, by the file's name. */
export type Checksums = ReadonlyMap<string, string>

/** Reads a SHA256SUMS file. Fails with RegistryInvalid. */
export function parseChecksums(text: string, what: string): Checksums {
  const sums = new Map<string, string>()
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const match = /^([0-9a-fA-F]{64})[ \t]+\*?(\S+)\s*$/.exec(line)
    if (sums.size >= maxChecksums)
      throw new InstallFailure(
        'RegistryInvalid',
        `${what} has more than ${maxChecksums} lines; a release has one for each platform`,
      )
    if (match === null) throw new InstallFailure('RegistryInvalid', `${what} has a line that is not a checksum`)
    sums.set(match[2]!, match[1]!.toLowerCase())
  }
  return sums
}

// Every checksum is stored in status.lock of the Provider, so their number is bounded.
const maxChecksums = 200

/** The checksums in the form of a lock: `zh:` and the SHA-256 of an archive. */
export function archiveHashes(sums: Checksums): readonly string[] {
  return [...new Set([...sums.values()].map((sum) => `zh:${sum}`))].sort()
}

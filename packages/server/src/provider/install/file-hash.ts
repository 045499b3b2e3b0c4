import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** The SHA-256 of a file in hexadecimal. */
export async function hashOf(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  const stream = createReadStream(file, { highWaterMark: 2 ** 20 })
  await (signal === undefined ? pipeline(stream, hash) : pipeline(stream, hash, { signal }))
  return hash.digest('hex')
}

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** The SHA-256 of a file in hexadecimal. */
export async function hashOf(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  const stream = createReadStream(file, { highWaterMark: 2 ** 20, ...(signal !== undefined && { signal }) })
  for await (const chunk of stream) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

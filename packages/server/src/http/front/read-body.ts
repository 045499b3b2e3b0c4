import type { Readable } from 'node:stream'
import { entityTooLarge, maximumBodyBytes, unexpectedEnd } from './exchange.ts'

/** Reads a body to its end, but no further than the limit. */
export function readBody(stream: Readable, declaredLength: string | undefined): Promise<Uint8Array> {
  if (Number(declaredLength ?? 0) > maximumBodyBytes) return Promise.reject(entityTooLarge())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maximumBodyBytes) {
        stream.removeAllListeners('data')
        stream.resume()
        reject(entityTooLarge())
        return
      }
      chunks.push(chunk)
    })
    stream.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)))
    stream.once('error', reject)
    stream.once('close', () => {
      if (!stream.readableEnded) reject(unexpectedEnd())
    })
  })
}

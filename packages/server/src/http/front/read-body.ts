import type { Readable } from 'node:stream'
import { badRequest, StatusError } from '@hykube/machinery/status'
import { maximumBodyBytes } from './exchange.ts'

/** Reads a body to its end, but no further than the limit. */
export function readBody(stream: Readable, declaredLength: string | undefined): Promise<Uint8Array> {
  if (Number(declaredLength ?? 0) > maximumBodyBytes) return Promise.reject(tooLarge())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maximumBodyBytes) {
        stream.removeAllListeners('data')
        stream.resume()
        reject(tooLarge())
        return
      }
      chunks.push(chunk)
    })
    stream.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)))
    stream.once('error', reject)
    stream.once('close', () => {
      if (!stream.readableEnded) reject(badRequest('unexpected EOF'))
    })
  })
}

function tooLarge(): StatusError {
  return new StatusError('RequestEntityTooLarge', `Request entity too large: limit is ${maximumBodyBytes}`)
}

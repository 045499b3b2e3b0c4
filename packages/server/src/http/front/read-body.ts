import type { Readable } from 'node:stream'
import {
  type BodyMeter,
  bodyTimeout,
  bodyTooSlow,
  entityTooLarge,
  keptPiece,
  maximumBodyBytes,
  pieceOverhead,
  unexpectedEnd,
} from './exchange.ts'

/** Reads a whole body. Rejects above the size limit, after the deadline, and when `meter` throws. */
export function readBody(
  stream: Readable,
  declaredLength: string | undefined,
  meter: BodyMeter = () => {},
): Promise<Uint8Array> {
  if (Number(declaredLength ?? 0) > maximumBodyBytes) return Promise.reject(entityTooLarge())
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let length = 0
    const timer = setTimeout(() => refuse(bodyTooSlow()), bodyTimeout)
    const refuse = (error: unknown) => {
      clearTimeout(timer)
      chunks = []
      stream.removeAllListeners('data')
      stream.resume()
      reject(error)
    }
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maximumBodyBytes) {
        refuse(entityTooLarge())
        return
      }
      try {
        meter(chunk.length + pieceOverhead)
      } catch (error) {
        refuse(error)
        return
      }
      chunks.push(length === Number(declaredLength) ? chunk : keptPiece(chunk))
    })
    stream.once('end', () => {
      clearTimeout(timer)
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length))
    })
    stream.once('error', () => refuse(unexpectedEnd()))
    stream.once('close', () => {
      if (!stream.readableEnded) refuse(unexpectedEnd())
    })
  })
}

import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import type { BodyProducer, BodyWriter, Request, Response } from './front/index.ts'

/** Smaller bodies are sent uncompressed: compressing them costs more time than sending them. */
const leastBytes = 128 * 1024

/**
 * Compresses the response with gzip when the client accepts it and the body is large. Watches are never compressible,
 * because a compressor would hold events back.
 */
export async function compressed(request: Request, response: Response): Promise<Response> {
  if (!response.compressible || !acceptsGzip(request)) return response
  const { body } = response
  if (body instanceof Uint8Array && body.length < leastBytes) return response
  const headers = { ...response.headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' }
  if (body instanceof Uint8Array) return { ...response, headers, body: await gzipAll(body, { level: 1 }) }
  return { ...response, headers, body: gzipProducer(body) }
}

const gzipAll = promisify<Uint8Array, { level: number }, Uint8Array>(gzip)

function acceptsGzip(request: Request): boolean {
  return request.header('accept-encoding').some((value) => /(^|[\s,])gzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(value))
}

function gzipProducer(produce: BodyProducer): BodyProducer {
  return async (writer) => {
    const stream = createGzip({ level: 1 })
    const forwarding = forward(stream, writer)
    await produce({
      signal: writer.signal,
      get pending() {
        return writer.pending + stream.writableLength
      },
      write: (chunk) =>
        new Promise((resolve) => {
          if (stream.write(chunk)) resolve()
          else stream.once('drain', resolve)
        }),
    })
    stream.end()
    await forwarding
  }
}

async function forward(stream: AsyncIterable<Uint8Array>, writer: BodyWriter): Promise<void> {
  for await (const chunk of stream) await writer.write(chunk)
}

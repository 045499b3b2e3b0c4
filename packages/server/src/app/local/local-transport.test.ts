import { describe, expect, test } from 'vitest'
import type { Request, Response } from '../../http/index.ts'
import { createLocalTransport } from './local-transport.ts'

const bytes = (text: string) => Buffer.from(text)
const texts = (chunks: readonly Uint8Array[]) => chunks.map((chunk) => Buffer.from(chunk).toString())

function answering(body: Response['body'], seen: Request[] = []) {
  return createLocalTransport(async (request) => {
    seen.push(request)
    return { status: 200, headers: { warning: ['one', 'two'] }, body }
  })
}

describe('the local transport', () => {
  test('hands over path, query, headers and body', async () => {
    const seen: Request[] = []
    const transport = answering(bytes('done'), seen)
    const response = await transport({
      method: 'PUT',
      path: '/a%20b',
      query: 'c=d',
      headers: { accept: 'x' },
      body: bytes('in'),
    })
    expect(texts(await Array.fromAsync(response.body))).toEqual(['done'])
    expect(response.headers.warning).toBe('one, two')
    const [request] = seen
    expect([request?.path, request?.query, request?.header('accept'), request?.header('other')]).toEqual([
      '/a%20b',
      'c=d',
      ['x'],
      [],
    ])
    expect(texts([await request!.body()])).toEqual(['in'])
  })

  test('gives a stream piece by piece, and makes no more than is taken', async () => {
    let made = 0
    const { body } = await answering(async (writer) => {
      while (!writer.signal.aborted) {
        made++
        await writer.write(bytes(String(made)))
      }
    })({ method: 'GET', path: '/' })
    expect(texts(await firstOf(body, 3))).toEqual(['1', '2', '3'])
    expect(made).toBeLessThanOrEqual(5)
  })

  test('ends a stream with the signal of its request', async () => {
    const stop = new AbortController()
    let ended = false
    const { body } = await answering(async (writer) => {
      await new Promise((resolve) => writer.signal.addEventListener('abort', resolve))
      ended = true
    })({ method: 'GET', path: '/', signal: stop.signal })
    const reading = Array.fromAsync(body)
    stop.abort()
    expect(await reading).toEqual([])
    expect(ended).toBe(true)
  })

  test('a producer that fails fails the reader', async () => {
    const { body } = await answering(async (writer) => {
      void writer.write(bytes('half'))
      throw new Error('cut off')
    })({ method: 'GET', path: '/' })
    await expect(Array.fromAsync(body)).rejects.toThrow('cut off')
  })
})

async function firstOf<T>(source: AsyncIterable<T>, count: number): Promise<T[]> {
  const values: T[] = []
  for await (const value of source) if (values.push(value) === count) break
  return values
}

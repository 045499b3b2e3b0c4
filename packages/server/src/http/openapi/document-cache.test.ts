import { describe, expect, test, vi } from 'vitest'
import { DocumentCache } from './document-cache.ts'

const bytes = (size: number) => async () => new Uint8Array(size)

describe('cached documents', () => {
  test('are built once for concurrent requests', async () => {
    const cache = new DocumentCache(100)
    const make = vi.fn(bytes(10))
    const [first, second] = await Promise.all([cache.get('a', make), cache.get('a', make)])
    expect(await cache.get('a', make)).toBe(first)
    expect(second).toBe(first)
    expect(make).toHaveBeenCalledTimes(1)
  })

  test('are evicted when the cache is full, least recently used first', async () => {
    const cache = new DocumentCache(100)
    await cache.get('a', bytes(40))
    await cache.get('b', bytes(40))
    await cache.get('a', bytes(40))
    await cache.get('c', bytes(40))
    const again = vi.fn(bytes(40))
    await cache.get('a', again)
    expect(again).not.toHaveBeenCalled()
    await cache.get('b', again)
    expect(again).toHaveBeenCalledTimes(1)
  })

  test('are not cached when the build failed', async () => {
    const cache = new DocumentCache(100)
    await expect(cache.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await cache.get('a', bytes(1))).toHaveLength(1)
  })
})

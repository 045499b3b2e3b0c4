import { describe, expect, it } from 'vitest'
import { drain } from './work-queue.ts'

async function* from(items: readonly number[]): AsyncGenerator<number> {
  for (const item of items) yield item
}

describe('drain', () => {
  it('does everything that was there and everything that was found, once', async () => {
    const done: number[] = []
    const find = async (item: number, add: (more: number) => void) => {
      done.push(item)
      if (item < 100) for (const more of [item * 10, item * 10 + 1]) add(more)
    }
    await drain(from([1, 2, 3]), find, 4)
    expect(done.sort((a, b) => a - b)).toEqual([
      1, 2, 3, 10, 11, 20, 21, 30, 31, 100, 101, 110, 111, 200, 201, 210, 211, 300, 301, 310, 311,
    ])
  })

  it('does no more at a time than it may', async () => {
    let running = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
    }
    await drain(from(Array.from({ length: 100 }, (_, i) => i)), work, 7)
    expect(most).toBe(7)
  })

  it('begins nothing new after a failure, and throws it when all has ended', async () => {
    let ended = 0
    const work = async (item: number) => {
      await Promise.resolve()
      if (item === 3) throw new Error('three')
      ended++
    }
    await expect(drain(from(Array.from({ length: 1000 }, (_, i) => i)), work, 5)).rejects.toThrow('three')
    expect(ended).toBeLessThan(20)
  })

  it('fails when what gives the work fails', async () => {
    async function* broken(): AsyncGenerator<number> {
      yield 1
      throw new Error('no more')
    }
    await expect(drain(broken(), async () => {}, 3)).rejects.toThrow('no more')
  })

  it('ends at once when there is nothing to do', async () => {
    await drain(from([]), async () => {}, 3)
  })
})

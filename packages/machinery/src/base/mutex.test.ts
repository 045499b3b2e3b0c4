import { expect, test } from 'vitest'
import { Mutex } from './mutex.ts'

test('runs one task at a time, in order, and continues after a failure', async () => {
  const mutex = new Mutex()
  const log: string[] = []
  const work = (name: string) => async () => {
    log.push(`${name} begins`)
    await Promise.resolve()
    log.push(`${name} ends`)
    if (name === 'b') throw new Error(name)
  }
  const results = await Promise.allSettled([mutex.run(work('a')), mutex.run(work('b')), mutex.run(work('c'))])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

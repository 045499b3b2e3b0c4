import { expect, test } from 'vitest'
import { define } from '../../bench/api/api-load.ts'
import { compareFairness } from '../../bench/api/fairness.ts'
import { LoadClient } from '../../bench/api/load-client.ts'
import { startHykube } from '../../bench/api/subject.ts'

// The bound is for busy machines; `npm run bench -- api --fairness` has the true figures.
const generous = 250

test('a user’s reads do not wait for another user’s flood', async () => {
  const subject = await startHykube()
  try {
    const client = await LoadClient.connect(subject.url, subject.token, 1)
    await define(client)
    client.close()
    const { alone, beside, flood } = await compareFairness(subject, { objects: 1000, inFlight: 500, reads: 200 })
    expect(alone.failures + beside.failures).toBe(0)
    expect(Object.keys(flood.answers).sort()).toEqual(['create 201', 'get 200', 'list 200'])
    expect(beside.p99).toBeLessThan(Math.max(3 * alone.p99, generous))
  } finally {
    await subject.close()
  }
}, 60_000)

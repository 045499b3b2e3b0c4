import { describe, expect, it } from 'vitest'
import { faultStores, startBackend } from './backends.ts'
import { runRound } from './round.ts'

/** The short form: a few seconds for each backend. `npm run faults` is the long one. */
describe('under faults no promise is broken', () => {
  for (const name of faultStores) {
    it(`${name} for some seconds`, { timeout: 120_000 }, async (context) => {
      const backend = await startBackend(name)
      if (typeof backend === 'string') {
        console.warn(`SKIPPED faults on ${name}: ${backend}`)
        return context.skip(backend)
      }
      for (const reason of backend.missing) console.warn(`NOT TRIED on ${name}: ${reason}`)
      try {
        const result = await runRound({ backend, seconds: 5, seed: Date.now() % 100_000 })
        expect(result.violations.slice(0, 10)).toEqual([])
        expect(result.committed).toBeGreaterThan(20)
        expect(Object.values(result.faults).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)
      } finally {
        await backend.close()
      }
    })
  }
})

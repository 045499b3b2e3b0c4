import { describe, expect, it } from 'vitest'
import { faultStores, startBackend } from './backends.ts'
import { runRound } from './round.ts'

/** A few seconds per backend. `npm run faults` is the long form. */
describe('stores keep their guarantees under faults', () => {
  for (const name of faultStores) {
    it(`${name} for a few seconds`, { timeout: 120_000 }, async (context) => {
      const backend = await startBackend(name)
      if (typeof backend === 'string') {
        console.warn(`SKIPPED faults on ${name}: ${backend}`)
        return context.skip(backend)
      }
      for (const reason of backend.missing) console.warn(`NOT TRIED on ${name}: ${reason}`)
      try {
        const seed = Date.now() % 100_000
        // A slow machine needs more time for the same number of commits.
        for (let seconds = 5; ; seconds *= 2) {
          const result = await runRound({ backend, seconds, seed: seed + seconds })
          expect(result.violations.slice(0, 10)).toEqual([])
          const struck = Object.values(result.faults).reduce((sum, count) => sum + count, 0)
          if (result.committed > 20 && struck > 0) break
          expect(seconds, `seed ${seed}: only ${result.committed} committed, ${struck} faults`).toBeLessThan(20)
        }
      } finally {
        await backend.close()
      }
    })
  }
})

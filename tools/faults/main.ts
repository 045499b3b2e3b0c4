// `npm run faults -- --minutes N --store sqlite:|postgres:|memory: [--seed N]`: injects faults into a store in rounds
// and checks the history of each round. On a violation it exits with 1 and writes the round's history to a file.
// `npm run faults -- matrix …` does the same to servers that apply plans; see matrix.ts.
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { faultStores, startBackend } from '../../test/faults/backends.ts'
import { type RoundResult, runRound } from '../../test/faults/round.ts'

const [first, ...rest] = process.argv.slice(2)
if (first === 'matrix') {
  const { faultMatrix } = await import('./matrix.ts')
  process.exit((await faultMatrix(rest)) === 0 ? 0 : 1)
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    store: { type: 'string', multiple: true, default: [...faultStores] },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    'round-seconds': { type: 'string', default: '30' },
    verbose: { type: 'boolean', default: false },
  },
})

let broken = 0
for (const store of values.store) broken += await ruin(store)
process.exitCode = broken === 0 ? 0 : 1

async function ruin(store: string): Promise<number> {
  const end = performance.now() + Number(values.minutes) * 60_000
  const totals = { rounds: 0, calls: 0, committed: 0, unknown: 0, failed: 0, violations: 0 }
  const faults: Record<string, number> = {}
  for (let seed = Number(values.seed); performance.now() < end; seed++) {
    const backend = await startBackend(store)
    if (typeof backend === 'string') {
      console.log(`SKIPPED ${store} ${backend}`)
      return 0
    }
    if (totals.rounds === 0) for (const reason of backend.missing) console.log(`NOT TRIED on ${store} ${reason}`)
    try {
      const seconds = Math.min(Number(values['round-seconds']), Math.max(5, (end - performance.now()) / 1_000))
      const tell = values.verbose ? (message: string) => console.log(`  ${message}`) : () => {}
      const result = await runRound({ backend, seconds, seed, tell })
      totals.rounds++
      for (const name of ['calls', 'committed', 'unknown', 'failed'] as const) totals[name] += result[name]
      for (const [name, count] of Object.entries(result.faults)) faults[name] = (faults[name] ?? 0) + count
      totals.violations += report(store, seed, result)
    } finally {
      await backend.close()
    }
  }
  console.log(JSON.stringify({ store, ...totals, faults }))
  return totals.violations
}

function report(store: string, seed: number, result: RoundResult): number {
  const { violations, calls, committed } = result
  console.log(`${store} seed ${seed}: ${calls} calls, ${committed} committed, ${violations.length} violations`)
  if (violations.length === 0) return 0
  const file = join(tmpdir(), `hykube-faults-${store.replace(/\W/g, '')}-${seed}.json`)
  writeFileSync(file, JSON.stringify(result.history))
  for (const { kind, message } of violations.slice(0, 20)) console.log(`  ${kind}: ${message}`)
  console.log(`  the history is in ${file}`)
  return violations.length
}

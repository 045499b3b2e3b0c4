import { parseArgs } from 'node:util'
import type { Result } from '../../test/faults/matrix/attempt.ts'
import { type Case, nameOf, operations, shuffledCases, sorts } from '../../test/faults/matrix/cases.ts'
import { runMatrix } from '../../test/faults/matrix/run-matrix.ts'

/**
 * `npm run faults -- matrix [--runs N] [--seed N] [--at N] [--shards N] [--match TEXT]`: kills servers at every step of
 * the journal, combined with misbehaving providers. Exits with 1 when a resource was lost, created twice or left
 * pending without notice.
 */
export async function faultMatrix(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: 'string', default: '100000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      /** Index of the first case to run, in the order of the seed. */
      at: { type: 'string', default: '0' },
      shards: { type: 'string', default: '2' },
      match: { type: 'string', default: '' },
      verbose: { type: 'boolean', default: false },
    },
  })
  const from = Number(values.at)
  const all = shuffledCases(Number(values.seed)).filter((each) => nameOf(each).includes(values.match))
  const cases = all.slice(from, from + Number(values.runs))
  const shards = Math.max(1, Math.min(Number(values.shards), cases.length))
  const results: Result[] = []
  const tell = (result: Result) => {
    results.push(result)
    const { problem, unknown, isReached } = result
    if (problem !== undefined) console.log(`FAILED ${nameOf(result.case)}: ${problem}`)
    else if (values.verbose)
      console.log(
        `${results.length} ${nameOf(result.case)}${unknown > 0 ? `, ${unknown} decided by hand` : ''}${isReached ? '' : ', not killed'}`,
      )
  }
  const part = (shard: number) => cases.filter((_, index) => index % shards === shard)
  console.log(`seed ${values.seed}: ${cases.length} of ${all.length} cases`)
  await Promise.all(Array.from({ length: shards }, (_, shard) => runMatrix(part(shard), tell)))
  printTable(results)
  return results.filter(({ problem }) => problem !== undefined).length
}

function printTable(results: readonly Result[]): void {
  const cell = (which: (each: Case) => boolean) => {
    const own = results.filter((result) => which(result.case))
    const failed = own.filter(({ problem }) => problem !== undefined).length
    const unknown = own.reduce((sum, each) => sum + each.unknown, 0)
    return `${own.length - failed}/${own.length}${unknown > 0 ? ` (${unknown} by hand)` : ''}`
  }
  console.log(['', ...sorts].map((each) => each.padEnd(22)).join(''))
  for (const operation of operations) {
    const cells = sorts.map((sort) => cell((each) => each.operation === operation && each.sort === sort))
    console.log([operation, ...cells].map((each) => each.padEnd(22)).join(''))
  }
  const killed = results.filter(({ isReached }) => isReached).length
  const failed = results.filter(({ problem }) => problem !== undefined).length
  const unknown = results.reduce((sum, each) => sum + each.unknown, 0)
  console.log(JSON.stringify({ runs: results.length, killed, failed, decidedByHand: unknown }))
}

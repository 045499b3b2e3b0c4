// `npm run fuzz -- [--requests N] [--seed N] [--parallel N]`: sends requests that nobody should send to a server of its own,
// a million by default. Ends with 1 when the server crashed, failed by a fault of its own, or kept what it should forget.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startServer } from '../../test/e2e/server.ts'
import { runFuzz } from '../../test/fuzz/run-fuzz.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    parallel: { type: 'string', default: '32' },
  },
})

// What was written lies on disk, so that the heap is the server's own.
const server = await startServer({ dataDirectory: mkdtempSync(join(tmpdir(), 'hykube-fuzz-')), arguments: [] })
const began = performance.now()
const result = await runFuzz({
  server,
  requests: Number(values.requests),
  seed: Number(values.seed),
  parallel: Number(values.parallel),
  tell: (line) => console.log(line),
})
await server.remove()

const { requests, statuses, failures, heapFloors } = result
const seconds = Math.round((performance.now() - began) / 1000)
const floors = heapFloors.map((bytes) => Math.round(bytes / 1e6))
console.log(
  JSON.stringify({
    seed: Number(values.seed),
    requests,
    seconds,
    failures: failures.length,
    statuses,
    heapFloorsMb: floors,
  }),
)
// The first part warms up: caches fill, kinds are compiled.
const leaks = floors.length >= 4 && floors.at(-1)! > floors[1]! * 1.5 + 64
if (leaks) console.log('the heap grows with the requests')
process.exitCode = failures.length > 0 || leaks ? 1 : 0

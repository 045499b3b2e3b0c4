// `npm run fuzz -- [--requests N] [--seed N] [--parallel N]`: sends malformed and unusual requests to its own server, a
// million by default. Exits with 1 when the server crashes, returns an internal error, or leaks memory.
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

// The data is on disk, so that the heap contains only the server's own memory.
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
// The first part is warm-up: caches fill and kinds are compiled.
const leaks = floors.length >= 4 && floors.at(-1)! > floors[1]! * 1.5 + 64
if (leaks) console.log('the heap grows with the number of requests')
process.exitCode = failures.length > 0 || leaks ? 1 : 0

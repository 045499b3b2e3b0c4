import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../e2e/server.ts'
import { runFuzz } from './run-fuzz.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.remove())

// `npm run fuzz` is the long form. A failure prints the seed, which reproduces the requests.
test('answers thousands of random requests without an internal error', async () => {
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000)
  const { failures, statuses } = await runFuzz({ server, requests: 4000, seed })
  expect({ seed, failures }).toEqual({ seed, failures: [] })
  // Requests that all fail early would prove little.
  expect((statuses[200] ?? 0) + (statuses[201] ?? 0)).toBeGreaterThan(400)
}, 120_000)

import { expect, test } from 'vitest'
import { worstRequests } from '../../bench/event-loop/worst-requests.ts'

// Machines differ, and code that was never run is slow: `npm run bench -- event-loop` has the true figures.
const generous = 3

// Bodies of more than 256 KiB that are nothing but thousands of tiny fields hold the loop for longer than they should.
const knownToBeLong = new Set([
  'create, JSON, many keys',
  'create, YAML',
  'create, protobuf',
  'create, strict, unknown fields',
  'create, pod',
  'apply, creates',
  'apply, much is managed',
  'merge patch',
])

test('no request holds the event loop for long', async () => {
  const rows = await worstRequests({ objects: 500, large: 600 << 10 })
  const over = rows.filter(({ longest, bound }) => longest > generous * bound)
  const large = 256 * 1024
  expect(over.filter(({ request, body }) => !(body > large && knownToBeLong.has(request)))).toEqual([])
  expect(over.filter(({ longest }) => longest > 3000)).toEqual([])
}, 120_000)

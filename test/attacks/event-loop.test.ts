import { expect, test } from 'vitest'
import { worstRequests } from '../../bench/event-loop/worst-requests.ts'

// Machines differ, and code that was never run is slow: `npm run bench -- event-loop` has the true figures. Work that is not split
// into steps takes seconds.
const generous = 6

test('no request holds the event loop for long', async () => {
  const rows = await worstRequests({ objects: 500, large: 3 << 20 })
  expect(rows.filter(({ longest, bound }) => longest > generous * bound)).toEqual([])
}, 300_000)

import { expect, test } from 'vitest'
import { worstBodies } from '../../bench/event-loop/worst-bodies.ts'

// In milliseconds of processor time. A request of another client that arrives meanwhile waits this long at most.
const bound = 250
// The longest request takes its turns for this long: a user with few seats holds up nobody else for longer than one turn,
// but has the rest of the processor meanwhile.
const longestRequest = 5_000

test('no body of any content type holds the event loop for long', { timeout: 300_000 }, async () => {
  const rows = await worstBodies()
  expect(rows.length).toBeGreaterThan(200)
  // A long garbage collection, or another process that takes the caches, hits one request at random; a request that is slow
  // holds the loop each time.
  let slow = rows.filter(({ longest }) => longest > bound)
  for (let round = 0; round < 2 && slow.length > 0; round++) {
    const again = new Map((await worstBodies()).map((row) => [row.request, row]))
    slow = slow.map(({ request }) => again.get(request)!).filter(({ longest }) => longest > bound)
  }
  expect(slow).toEqual([])
  expect(rows.filter(({ total }) => total > longestRequest)).toEqual([])
  // Every request had an answer of its own, and none was a failure of the server.
  expect(rows.filter(({ status }) => status >= 500)).toEqual([])
})

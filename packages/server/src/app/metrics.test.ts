import { expect, test } from 'vitest'
import { Metrics } from './metrics.ts'

const store = { now: 7, compacted: 3, keys: 2, bytes: 100, followers: 1, details: {} }

test('answers are counted by verb, resource and code, and timed', () => {
  const metrics = new Metrics()
  for (const milliseconds of [0.5, 3, 20_000])
    metrics.answered({ verb: 'get', resource: 'pods', status: 200, milliseconds })
  metrics.answered({ verb: 'get', resource: 'pods', status: 404, milliseconds: 1 })
  const lines = metrics.text(store, { taken: 1, waiting: 2 }).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'apiserver_request_total{verb="GET",resource="pods",code="200"} 3',
      'apiserver_request_total{verb="GET",resource="pods",code="404"} 1',
      'apiserver_request_duration_seconds_bucket{verb="GET",resource="pods",le="0.001"} 2',
      'apiserver_request_duration_seconds_bucket{verb="GET",resource="pods",le="0.005"} 3',
      'apiserver_request_duration_seconds_bucket{verb="GET",resource="pods",le="10"} 3',
      'apiserver_request_duration_seconds_bucket{verb="GET",resource="pods",le="+Inf"} 4',
      'apiserver_request_duration_seconds_count{verb="GET",resource="pods"} 4',
      'apiserver_current_inqueue_requests 2',
      'hykube_store_revision 7',
    ]),
  )
})

test('what clients make up is counted together, and never grows without bound', () => {
  const metrics = new Metrics()
  for (let at = 0; at < 20_000; at++)
    metrics.answered({ verb: 'get', resource: `made-up-${at}`, status: 404, milliseconds: 1 })
  metrics.answered({ verb: 'get', resource: 'a"b', status: 404, milliseconds: 1 })
  const text = metrics.text(store, { taken: 0, waiting: 0 })
  expect(text.length).toBeLessThan(10_000_000)
  expect(text).toMatch(/resource="other",code="404"} 150\d\d$/m)
})

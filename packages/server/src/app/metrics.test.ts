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

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

test('labels that clients invent take no memory, and the text stays below a megabyte', () => {
  const metrics = new Metrics()
  for (let at = 0; at < 100_000; at++) {
    const resource = `${at}-`.padEnd(63, 'x')
    const verb = at % 2 === 0 ? `METHOD-${at}-${'y'.repeat(1000)}` : ['get', 'list', 'create', 'delete'][at % 4]!
    metrics.answered({ verb, resource, status: [200, 201, 403, 404, 422][at % 5]!, milliseconds: at })
  }
  const text = metrics.text(store, { taken: 0, waiting: 0 })
  expect(text.length).toBeLessThan(1_000_000)
  expect(text).toContain('verb="OTHER"')
  expect(text).not.toContain('METHOD')
  expect(text).toMatch(/verb="LIST",resource="other",code="404"} \d+$/m)
})

test('a known verb is counted under one label, as method or verb', () => {
  const metrics = new Metrics()
  for (const verb of ['GET', 'get']) metrics.answered({ verb, resource: '', status: 200, milliseconds: 1 })
  expect(metrics.text(store, { taken: 0, waiting: 0 })).toContain(
    'apiserver_request_total{verb="GET",resource="",code="200"} 2',
  )
})

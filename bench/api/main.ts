import { parseArgs } from 'node:util'
import { startKubeApiserver } from '../../test/real-parts/kube-apiserver.ts'
import { type ApiLoad, measureApi } from './api-load.ts'
import { measureFairness } from './fairness.ts'
import { StolenTime } from './measure.ts'
import { printRows, type Rows } from './rows.ts'
import { measureStalled } from './stalled-watch.ts'
import { type Subject, startHykube } from './subject.ts'

/**
 * `npm run bench -- api [--objects N] [--requests N] [--streams N] [--events N] [--peer kube-apiserver]
 * [--fairness | --stalled]`: the server on
 * SQLite in a process of its own, beside the load on the same machine; with a peer, the same load on it afterwards, and
 * how many times better ours is.
 */
const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '40000' },
    streams: { type: 'string', default: '1000' },
    events: { type: 'string', default: '600' },
    peer: { type: 'string' },
    fairness: { type: 'boolean', default: false },
    stalled: { type: 'boolean', default: false },
  },
})
if (values.peer !== undefined && values.peer !== 'kube-apiserver')
  throw new Error(`--peer is ${JSON.stringify(values.peer)}, and must be kube-apiserver`)
const load: ApiLoad = {
  objects: Number(values.objects),
  requests: Number(values.requests),
  streams: Number(values.streams),
  events: Number(values.events),
}
// The peer is got ready first: a build of minutes should fail before anything was measured.
const peer = values.peer === undefined ? undefined : await measured(startKubeApiserver)
printRows(await measured(startHykube), peer)

async function measured(start: () => Promise<Subject>): Promise<Rows> {
  const stolen = new StolenTime()
  const subject = await start()
  try {
    const rows = await measuredRows(subject)
    rows.add('time stolen', stolen.percent, '%', '', 'kept from this machine’s processors by whatever it runs on')
    return rows
  } finally {
    await subject.close()
  }
}

function measuredRows(subject: Subject): Promise<Rows> {
  if (values.fairness) return measureFairness(subject)
  return values.stalled ? measureStalled(subject, load) : measureApi(subject, load)
}

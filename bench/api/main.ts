import { parseArgs } from 'node:util'
import { startKubeApiserver } from '../../test/real-parts/kube-apiserver.ts'
import { type ApiLoad, measureApi } from './api-load.ts'
import { measureFairness } from './fairness.ts'
import { StolenTime } from './measure.ts'
import { printRows, type Rows } from './rows.ts'
import { measureStalled } from './stalled-watch.ts'
import { type Subject, startHykube } from './subject.ts'

/**
 * `npm run bench -- api [--objects N] [--requests N] [--streams N] [--events N] [--peer kube-apiserver] [--fairness |
 * --stalled]`: measures a server on SQLite in its own process, with the load on the same machine. With `--peer`,
 * kube-apiserver gets the same load afterwards, and the ratios are printed.
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
  throw new Error(`invalid --peer ${JSON.stringify(values.peer)}: the only peer is kube-apiserver`)
const load: ApiLoad = {
  objects: Number(values.objects),
  requests: Number(values.requests),
  streams: Number(values.streams),
  events: Number(values.events),
}
// The peer is measured first, because its build takes minutes and may fail.
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

import { describe, expect, test } from 'vitest'
import { type Diagnosis, judge } from './diagnosis.ts'

const now = Date.parse('2026-11-16T00:00:00Z')
const inDays = (days: number) => new Date(now + days * 86_400_000).toISOString()

const well: Diagnosis = {
  store: { kind: 'sqlite', bytes: 5e6, walBytes: 1e6, keys: 100, integrity: [] },
  disk: { directory: '/data', freeBytes: 50e9, totalBytes: 100e9 },
  certificates: [
    { name: 'ca', ends: inDays(3000) },
    { name: 'server', ends: inDays(300) },
    { name: 'admin', ends: inDays(300) },
  ],
  clock: { now, moved: 12 },
  limits: { openFiles: 40, openFilesLimit: 65_536, memory: 150e6, memoryLimit: 8e9 },
  processes: [
    { source: 'hykube/sim', version: '0.1.0', pid: 42, startTime: 'x', users: 0, memory: 60e6, configuration: 'c' },
  ] as unknown as Diagnosis['processes'],
}

describe('doctor', () => {
  test('finds nothing wrong where nothing is', () => {
    expect(judge(well, { skew: 20, now }).map(({ level }) => level)).toEqual(Array.from({ length: 9 }, () => 'ok'))
  })

  const ca = (days: number) => [{ name: 'ca', ends: inDays(days) }]
  test.each<[string, Partial<Diagnosis>, { skew?: number }, string, RegExp, RegExp]>([
    [
      'a damaged file',
      { store: { ...well.store, integrity: ['row 7 missing', 'x'] } },
      {},
      'problem',
      /row 7 missing and 1 more/,
      /restore/,
    ],
    [
      'a long write-ahead log',
      { store: { ...well.store, walBytes: 3e8 } },
      {},
      'warning',
      /write-ahead log has 300 MB/,
      /disk/,
    ],
    [
      'a disk nearly full',
      { disk: { ...well.disk, freeBytes: 5e8 } },
      {},
      'warning',
      /only 500 MB of 100\.0 GB free in \/data/,
      /Free space/,
    ],
    ['a full disk', { disk: { ...well.disk, freeBytes: 2e7 } }, {}, 'problem', /only 20\.0 MB/, /Free space/],
    [
      'no room for a backup',
      { store: { ...well.store, bytes: 60e9 } },
      {},
      'warning',
      /only 50\.0 GB/,
      /backup needs as much/,
    ],
    ['a CA that expires soon', { certificates: ca(10) }, {}, 'warning', /CA expires in 10 days/, /ca\.crt/],
    ['an expired CA', { certificates: ca(-1) }, {}, 'problem', /CA has expired/, /ca\.crt/],
    [
      'an admin certificate that expires soon',
      { certificates: [{ name: 'admin', ends: inDays(3) }] },
      {},
      'warning',
      /admin expires in 3 days/,
      /Restart/,
    ],
    ['a clock that is ahead', {}, { skew: 20_000 }, 'warning', /20 s ahead of this machine/, /time server/],
    ['a clock that is far behind', {}, { skew: -400_000 }, 'problem', /400 s behind/, /time server/],
    ['a clock that was set', { clock: { now, moved: -60_000 } }, {}, 'warning', /moved back by 60 s/, /Slew the clock/],
    [
      'few open files',
      { limits: { ...well.limits, openFilesLimit: 1024 } },
      {},
      'warning',
      /at most 1024 open files/,
      /ulimit -n/,
    ],
    [
      'files running out',
      { limits: { ...well.limits, openFiles: 60_000 } },
      {},
      'problem',
      /60000 of 65536/,
      /ulimit -n/,
    ],
    [
      'a small control group',
      { limits: { ...well.limits, memory: 9e7, memoryLimit: 2e8 } },
      {},
      'warning',
      /only 200 MB memory/,
      /more memory/,
    ],
    [
      'memory running out',
      { limits: { ...well.limits, memory: 950e6, memoryLimit: 1e9 } },
      {},
      'problem',
      /950 MB of 1\.0 GB memory in use/,
      /more memory/,
    ],
  ])('tells of %s, and what to do', (_, change, { skew = 0 }, level, message, advice) => {
    const found = judge({ ...well, ...change }, { skew, now }).filter((finding) => finding.level !== 'ok')
    expect(found).toEqual([
      {
        check: expect.any(String),
        level,
        message: expect.stringMatching(message),
        advice: expect.stringMatching(advice),
      },
    ])
  })
})

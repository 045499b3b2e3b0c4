import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'
import { measureLatency } from '../latency.ts'
import { objectOf, ProviderServer, providerOf } from './provider-server.ts'

const program = join(import.meta.dirname, '../../fixtures/unruly-provider/main.ts')

/** Misbehaviour of a provider, and the resulting message. */
const deeds: readonly [deed: string, told: RegExp][] = [
  ['hang', /there was no answer within 8000 ms; .*--provider-(call|apply)-timeout/],
  ['block', /there was no answer within 8000 ms, and it fails its health check; it was killed/],
  ['crash', /its process ended with exit code 7; it is restarted on demand; .* report it to its developers/],
  ['panic', /exit code 2.*panic: assignment to entry in nil map/s],
  ['shape', /is not what its schema says: .*report it to the provider's developers/],
  ['flood', /used \d+ MiB of memory, and 400 MiB are allowed; it was killed\. Raise --provider-memory-limit/],
  ['huge', /larger than the 8388608 allowed; raise --provider-answer-limit/],
]

describeWith(['kubectl-1.36'], 'unruly providers on a running server', (kubectl) => {
  let running: ProviderServer
  let directory: string
  let log = ''

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'hykube-unruly-'))
    for (const [name, how] of [
      ['unruly', ''],
      ['flooding', 'flood'],
    ] as const) {
      const path = join(directory, `terraform-provider-${name}`)
      writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${program}' ${how}\n`)
      chmodSync(path, 0o755)
    }
    const limits = [
      '--provider-memory-limit',
      '400Mi',
      '--provider-call-timeout',
      '8s',
      '--provider-apply-timeout',
      '8s',
    ]
    running = await ProviderServer.start(kubectl, ...limits, '--provider-dir', directory)
    running.server.process.stderr?.on('data', (bytes: Buffer) => {
      log += bytes.toString()
    })
    await running.provide('calm', { source: 'local/unruly' })
    await running.apply(...deeds.map(([deed]) => providerOf(deed, { source: 'local/unruly' })))
    await running.apply(providerOf('loud', { source: 'local/unruly' }))
    await running.done('wait --for=condition=Ready provider --all --timeout=60s')
  }, 120_000)
  afterAll(async () => {
    await running?.remove()
    rmSync(directory, { recursive: true, force: true })
  })

  const thing = (provider: string, name: string, deed?: string) =>
    objectOf(provider, 'UnrulyThing', name, { name, ...(deed !== undefined && { deed }) })
  const planOf = (provider: string, name: string) =>
    running.plan({ targets: [`provider["${provider}"].unruly_thing.${name}`] })
  const memory = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${running.server.process.pid}/status`, 'utf8'))![1]) / 1024

  test('misbehaviour while planning blocks their own objects and nothing else', { timeout: 120_000 }, async () => {
    await running.apply(...deeds.map(([deed]) => thing(deed, `plan${deed}`, `plan:${deed}`)), thing('calm', 'first'))
    const before = memory()
    const latency = measureLatency(running.server)
    await running.apply(thing('calm', 'second'))
    const all = running.plan({ excludes: ['provider["calm"].unruly_thing.second'] })
    // A plan of another provider is made and applied while that one waits for those that hang.
    expect(await planOf('calm', 'second')).toMatchObject({ phase: 'Applied' })
    const { changes, phase } = await all
    const { slowest } = await latency.stop()
    expect(phase).toBe('Applied')
    expect(changes.get('unruly_thing.first')).toMatchObject({ outcome: { result: 'applied' } })
    for (const [deed, told] of deeds) {
      const change = changes.get(`unruly_thing.plan${deed}`)
      expect(change).toMatchObject({ action: 'blocked', message: expect.stringMatching(told) })
      expect(change!.diagnostics).toEqual([
        { severity: 'error', summary: 'Provider call failed', detail: change!.message },
      ])
      await running.done(`delete unruly-things.${deed}.hykube.io plan${deed}`)
    }
    // Waiting for the hanging providers would take twice as long.
    expect(slowest).toBeLessThan(4000)
    expect(memory() - before).toBeLessThan(250)
  })

  test('misbehaviour while applying is reported by the object', { timeout: 120_000 }, async () => {
    await running.apply(...deeds.map(([deed]) => thing(deed, `apply${deed}`, `apply:${deed}`)), thing('calm', 'third'))
    const before = memory()
    const latency = measureLatency(running.server)
    const { changes, phase } = await running.plan()
    const { slowest } = await latency.stop()
    expect(phase).toBe('PartiallyApplied')
    expect(changes.get('unruly_thing.third')).toMatchObject({ outcome: { result: 'applied' } })
    for (const [deed, told] of deeds) {
      // The outcome of the call is unknown, which is reported; the resource is not created again.
      expect(changes.get(`unruly_thing.apply${deed}`)).toMatchObject({ outcome: { result: 'unknown' } })
      const { status } = await running.get(`unruly-things.${deed}.hykube.io`, `apply${deed}`)
      expect(status.conditions).toContainEqual(
        expect.objectContaining({
          type: 'Stalled',
          status: 'True',
          reason: 'OutcomeUnknown',
          message: expect.stringMatching(told),
        }),
      )
    }
    // Waiting for the hanging providers would take twice as long.
    expect(slowest).toBeLessThan(4000)
    expect(memory() - before).toBeLessThan(250)
  })

  test('misbehaviour before anything began is reported by the object too, and it can be tried again', async () => {
    await running.apply(thing('crash', 'late', 'replan:crash'))
    const { changes } = await planOf('crash', 'late')
    expect(changes.get('unruly_thing.late')).toMatchObject({ outcome: { result: 'failed' } })
    const { status } = await running.get('unruly-things.crash.hykube.io', 'late')
    expect(status.conditions).toContainEqual(
      expect.objectContaining({
        type: 'Applied',
        status: 'False',
        reason: 'ApplyFailed',
        message: expect.stringContaining('its process ended with exit code 7'),
      }),
    )
    await running.apply(thing('crash', 'late'))
    await expect.poll(async () => (await planOf('crash', 'late')).phase, { timeout: 30_000 }).toBe('Applied')
  })

  test('garbage on stdout and noise on stderr do no harm, and the log stays short', async () => {
    await running.apply(thing('loud', 'garbage', 'plan:garbage'), thing('loud', 'noise', 'apply:noise'))
    for (const name of ['garbage', 'noise'])
      expect(await planOf('loud', name)).toMatchObject({ phase: 'Applied', summary: { create: 1 } })
    expect(log).toContain('line 1 of too many')
    expect(log).not.toContain('line 19999 of too many')
    expect(log.length).toBeLessThan(2 ** 20)
  })

  test('one that floods memory before it is ready is ended, and its Provider says so', async () => {
    await running.apply(providerOf('flooding', { source: 'local/flooding' }))
    const { status, message } = await running.condition('flooding', 'Ready', 'ProviderOutOfMemory')
    expect(status).toBe('False')
    expect(message).toMatch(/cannot start .* used \d+ MiB of memory, and 400 MiB are allowed/)
  })
})

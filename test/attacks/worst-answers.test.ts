import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FakeRegistry, makeZip } from '@hykube/server/provider/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mainThreadClock, measureLatency } from '../e2e/latency.ts'
import { objectOf, type PlannedChange, ProviderServer, providerOf } from '../e2e/providers/provider-server.ts'
import { describeWith } from '../real-parts/index.ts'

// Milliseconds of processor time of the server until it answers 99 of 100 reads of another client.
const bound = 250

describeWith(['kubectl-1.36'], 'the worst answers delay no other client', (kubectl) => {
  let registry: FakeRegistry
  let running: ProviderServer
  let directory: string

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'hykube-worst-'))
    registry = await FakeRegistry.start({ tls: true })
    writeFileSync(join(directory, 'authority.pem'), registry.certificate!)
    process.env.NODE_EXTRA_CA_CERTS = join(directory, 'authority.pem')
    for (const size of ['worst', 'large-schema']) {
      const path = join(directory, `terraform-provider-${size}`)
      const program = join(import.meta.dirname, '../fixtures/worst-provider/main.ts')
      writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${program}' ${size}\n`)
      chmodSync(path, 0o755)
    }
    running = await ProviderServer.start(kubectl, '--egress-allow', 'localhost', '--provider-dir', directory)
    await running.provide('worst', { source: 'local/worst' })
  }, 120_000)
  afterAll(async () => {
    await running?.remove()
    await registry?.close()
    rmSync(directory, { recursive: true, force: true })
  })

  /** Returns the 99th percentile of another client's reads during some work. */
  const p99During = async (work: () => Promise<unknown>): Promise<number> => {
    const latency = measureLatency(running.server, mainThreadClock(running.server.process.pid!))
    await work()
    return (await latency.stop()).p99
  }

  const tooMany = /it has more than 100000 elements|there are too many messages/
  const shapes: readonly [shape: string, refused?: RegExp][] = [
    ['text'],
    ['nulls', tooMany],
    ['set', tooMany],
    ['object', tooMany],
    ['allowed'],
    ['allowed-set'],
    ['warnings', tooMany],
    ['paths', tooMany],
  ]

  test.each(shapes)('of a provider that plans %s', async (shape, refused) => {
    const { p99, change } = await made(`plan${shape.replace('-', '')}`, { answer: `plan:${shape}` })
    expect(change).toMatchObject(
      refused === undefined ? { action: 'create' } : { action: 'blocked', message: expect.stringMatching(refused) },
    )
    expect(p99).toBeLessThan(bound)
  })

  test.each([...shapes, ['private']] satisfies typeof shapes)(
    'of a provider that applies with %s',
    async (shape, refused) => {
      const { p99, change } = await made(`apply${shape.replace('-', '')}`, { answer: `apply:${shape}` })
      expect(change.outcome).toMatchObject(
        refused === undefined ? { result: 'applied' } : { result: 'unknown', message: expect.stringMatching(refused) },
      )
      expect(p99).toBeLessThan(bound)
    },
  )

  const made = async (name: string, spec: object) => {
    const address = `worst_thing.${name}`
    await running.apply(objectOf('worst', 'WorstThing', name, spec))
    let change: PlannedChange | undefined
    const p99 = await p99During(async () => {
      change = (await running.plan({ targets: [address] })).changes.get(address)
      await running.get('worst-thing', name)
    })
    return { p99, change: change! }
  }

  test('of a provider with the schema of the largest one', { timeout: 120_000 }, async () => {
    const p99 = await p99During(async () => {
      await running.provide('large', { source: 'local/large-schema' })
    })
    expect(p99).toBeLessThan(bound)
  })

  // Just below the limit for a document.
  const large = (2 << 20) - 100
  const list = (item: string) => `[${Array.from({ length: large / (item.length + 1) }, () => item).join()}]`
  const faults: readonly [fault: string, path: RegExp, content: () => string | Uint8Array][] = [
    [
      'many versions',
      /\/versions$/,
      () => `{"versions":${list('{"version":"1.0.0","protocols":["6.0"],"platforms":[]}')}}`,
    ],
    [
      'many platforms',
      /\/versions$/,
      () => `{"versions":[{"version":"1.0.0","platforms":${list('{"os":"a","arch":"b"}')}}]}`,
    ],
    ['long versions', /\/versions$/, () => `{"versions":[{"version":"1.${'0'.repeat(large)}"}]}`],
    ['nested brackets', /\/versions$/, () => '['.repeat(large)],
    ['members', /well-known/, () => `{${Array.from({ length: large / 16 }, (_, at) => `"m${at}":1`).join()}}`],
    ['keys', /\/download\//, () => `{"signing_keys":{"gpg_public_keys":${list('{"ascii_armor":"x"}')}}}`],
    ['sums', /SHA256SUMS$/, () => `${'0'.repeat(64)}  a.zip\n`.repeat(large / 72)],
    ['signature', /SHA256SUMS\.sig$/, () => new Uint8Array(large).fill(0xc2)],
    ['archive', /\.zip$/, () => makeZip(Array.from({ length: 12_000 }, (_, at) => ({ name: `f${at}`, content: '' })))],
  ]

  test.each(faults)('of a registry: %s', { timeout: 60_000 }, async (fault, path, content) => {
    const name = fault.replace(' ', '-')
    const answer = content()
    await registry.publish({ namespace: 'test', type: name, version: '1.0.0' })
    registry.intercept = (asked, response) => {
      if (!path.test(asked)) return false
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
      return true
    }
    const p99 = await p99During(async () => {
      await running.apply(providerOf(name, { source: `${registry.host}/test/${name}` }))
      await expect.poll(async () => (await installed(name))?.reason ?? 'Pending').not.toMatch(/Pending|Installing/)
    })
    expect(p99).toBeLessThan(bound)
    await running.done(`delete provider ${name}`)
  })

  const installed = async (name: string) => {
    const { status } = await running.get('provider', name)
    return status?.conditions.find((each: { type: string }) => each.type === 'Installed')
  }
})

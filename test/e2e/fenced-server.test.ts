import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgres, PostgresServer } from '@hykube/server/storage/testing'
import { expect, onTestFinished, test } from 'vitest'
import { send } from '../attacks/attacker.ts'
import { startServer, type TestServer } from './server.ts'

const search = findPostgres()
const missing = search.kind === 'missing' ? ` (${search.reason}) [needs postgres]` : ''
const plans = '/apis/hykube.io/v1alpha1/namespaces/default/plans'
const networks = '/apis/sim.hykube.io/v1/namespaces/default/sim-networks'
const count = 40

test.skipIf(search.kind === 'missing')(
  `a server that was stopped while it applied, and goes on after another took over, writes nothing${missing}`,
  {
    timeout: 300_000,
  },
  async () => {
    const { first, second, world } = await twoServers()
    let said = ''
    first.process.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    await approvedPlan(first, second, world)
    await until(() => objectsIn(world) > 5)
    first.process.kill('SIGSTOP')
    const stopped = performance.now()
    await until(async () => (await api(second, 'GET', `${plans}/p`)).document.status.phase === 'Applied')
    // Ten seconds without a beat, and the rest of the plan.
    expect(performance.now() - stopped).toBeLessThan(60_000)
    expect(objectsIn(world)).toBe(count)
    const before = await everything(second)
    first.process.kill('SIGCONT')
    await until(() => said.includes('another server has taken over'))
    await until(async () => (await api(first, 'GET', '/readyz')).status === 200)
    expect(await everything(second)).toEqual(before)
    expect(objectsIn(world)).toBe(count)
    await api(first, 'POST', plans, { metadata: { name: 'after' } })
    await until(async () => (await api(first, 'GET', `${plans}/after`)).document.status?.phase === 'NoChanges')
  },
)

const api = (server: TestServer, method: string, path: string, body?: object) =>
  send(server, { method, path, token: server.adminToken, ...(body && { body }) })

async function twoServers() {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-fenced-'))
  const database = await PostgresServer.start({ bin: search.kind === 'found' ? search.bin : '' })
  const options = { arguments: ['--store', database.url()] }
  const first = await startServer({ ...options, dataDirectory: join(directory, 'first') })
  // Servers that share a database share the keys beside it.
  cpSync(join(directory, 'first'), join(directory, 'second'), { recursive: true })
  const second = await startServer({ ...options, dataDirectory: join(directory, 'second') })
  onTestFinished(async () => {
    await first.end('SIGKILL')
    await second.end('SIGKILL')
    await database.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return { first, second, world: join(directory, 'world') }
}

// Slow enough to be stopped in the middle.
async function approvedPlan(first: TestServer, second: TestServer, world: string): Promise<void> {
  const spec = { source: 'hykube/sim', config: { world, latency_ms: 300 } }
  await api(first, 'POST', '/apis/hykube.io/v1alpha1/providers', { metadata: { name: 'sim' }, spec })
  for (const server of [first, second]) await until(async () => (await api(server, 'GET', networks)).status === 200)
  const creates = Array.from({ length: count }, (_, i) =>
    api(first, 'POST', networks, { metadata: { name: `n${i}` }, spec: { name: `n${i}`, cidr: `10.${i}.0.0/16` } }),
  )
  for (const { status } of await Promise.all(creates)) expect(status).toBe(201)
  await api(first, 'POST', plans, { metadata: { name: 'p' }, spec: { parallelism: 4, approval: 'Automatic' } })
}

// Everything that applying writes, with its revisions.
async function everything(server: TestServer) {
  const [objects, plan, changes] = await Promise.all([
    api(server, 'GET', networks),
    api(server, 'GET', `${plans}/p`),
    api(server, 'GET', `${plans}/p/changes`),
  ])
  return { objects: objects.document.items, plan: plan.document, changes: changes.document.items }
}

function objectsIn(world: string): number {
  const directory = join(world, 'sim_network')
  return existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.json')).length : 0
}

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const began = performance.now()
  while (!(await isDone())) {
    expect(performance.now() - began).toBeLessThan(150_000)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

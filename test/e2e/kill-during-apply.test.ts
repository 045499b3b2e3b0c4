import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { send } from '../attacks/attacker.ts'
import { startServer, type TestServer } from './server.ts'

const plans = '/apis/hykube.io/v1alpha1/namespaces/default/plans'
const kinds = '/apis/sim.hykube.io/v1/namespaces/default'

test('a server that is killed again and again while it applies loses nothing and makes nothing twice', {
  timeout: 180_000,
}, async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'hykube-kill-'))
  const world = join(dataDirectory, 'world')
  onTestFinished(() => rmSync(dataDirectory, { recursive: true, force: true }))
  const start = () => startServer({ arguments: [], dataDirectory })
  let server = await start()
  await install(server, world)
  await write(server, 'sim-networks', 30, (i) => ({ name: `n${i}`, cidr: `10.${i}.0.0/16` }))
  await write(server, 'sim-subnets', 30, (i) => ({ network_id: `\${sim_network.n${i}.id}`, cidr: `10.${i}.1.0/24` }))
  await approve(server, 'create')
  let kills = 0
  for (const made of [5, 20, 40, 55]) {
    await until(async () => objectsIn(world) >= made)
    await server.end('SIGKILL')
    kills++
    server = await start()
  }
  await until(async () => (await phaseOf(server, 'create')) === 'Applied')
  expect(kills).toBe(4)
  expect(objectsIn(world)).toBe(60)
  expect(idsOf(world, 'sim_subnet', 'network_id')).toEqual(namesOf(world, 'sim_network'))
  await api(server, 'POST', plans, { metadata: { name: 'after' } })
  let phase = ''
  await until(async () => {
    phase = await phaseOf(server, 'after')
    return !['', 'Pending', 'Planning'].includes(phase)
  })
  expect(phase).toBe('NoChanges')
  await server.end()
})

const api = (server: TestServer, method: string, path: string, body?: object) =>
  send(server, { method, path, token: server.adminToken, ...(body && { body }) })

async function install(server: TestServer, world: string): Promise<void> {
  const spec = { source: 'hykube/sim', config: { world, latency_ms: 150 } }
  await api(server, 'POST', '/apis/hykube.io/v1alpha1/providers', { metadata: { name: 'sim' }, spec })
  await until(async () => (await api(server, 'GET', `${kinds}/sim-networks`)).status === 200)
}

async function write(server: TestServer, plural: string, count: number, spec: (i: number) => object): Promise<void> {
  for (let i = 0; i < count; i++) {
    const name = `${plural === 'sim-networks' ? 'n' : 's'}${i}`
    expect((await api(server, 'POST', `${kinds}/${plural}`, { metadata: { name }, spec: spec(i) })).status).toBe(201)
  }
}

async function approve(server: TestServer, name: string): Promise<void> {
  await api(server, 'POST', plans, { metadata: { name }, spec: { parallelism: 4 } })
  await until(async () => (await phaseOf(server, name)) === 'Planned')
  await api(server, 'PUT', `${plans}/${name}/approval`, { decision: 'Approved' })
}

async function phaseOf(server: TestServer, name: string): Promise<string> {
  return (await api(server, 'GET', `${plans}/${name}`)).document.status?.phase ?? ''
}

function namesOf(world: string, type: string): string[] {
  const directory = join(world, type)
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replace(/\.json$/, ''))
    .sort()
}

function objectsIn(world: string): number {
  return namesOf(world, 'sim_network').length + namesOf(world, 'sim_subnet').length
}

function idsOf(world: string, type: string, attribute: string): string[] {
  return namesOf(world, type)
    .map((name) => JSON.parse(readFileSync(join(world, type, `${name}.json`), 'utf8'))[attribute])
    .sort()
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const began = performance.now()
  while (!(await isDone())) {
    expect(performance.now() - began).toBeLessThan(90_000)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

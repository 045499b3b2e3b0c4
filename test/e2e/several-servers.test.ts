import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgres, PostgresServer } from '@hykube/server/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../attacks/attacker.ts'
import { startServer, type TestServer } from './server.ts'

const search = findPostgres()
const missing = search.kind === 'missing' ? ` (${search.reason}) [needs postgres]` : ''

describe.skipIf(search.kind === 'missing')(`several servers on one PostgreSQL${missing}`, () => {
  let database: PostgresServer
  let first: TestServer
  let second: TestServer
  const directories: string[] = []

  beforeAll(async () => {
    database = await PostgresServer.start({ bin: search.kind === 'found' ? search.bin : '' })
    const options = { arguments: ['--store', database.url()] }
    first = await startServer(options)
    // Servers that share a database share the keys beside it.
    const dataDirectory = mkdtempSync(join(tmpdir(), 'hykube-second-'))
    directories.push(dataDirectory, first.dataDirectory)
    cpSync(first.dataDirectory, dataDirectory, { recursive: true })
    second = await startServer({ ...options, dataDirectory })
  })

  afterAll(async () => {
    await second.remove()
    await first.end('SIGKILL')
    await database.close()
    for (const directory of directories) rmSync(directory, { recursive: true, force: true })
  })

  const api = (server: TestServer, method: string, path: string, body?: object) =>
    send(server, { method, path, token: server.adminToken, ...(body && { body }) })

  // Every namespace gets its account from a controller.
  async function timeToAccount(server: TestServer, name: string): Promise<number> {
    const began = performance.now()
    await api(server, 'POST', '/api/v1/namespaces', { metadata: { name } })
    const path = `/api/v1/namespaces/${name}/serviceaccounts/default`
    while ((await api(server, 'GET', path)).status !== 200) expect(performance.now() - began).toBeLessThan(30_000)
    return performance.now() - began
  }

  test('what one writes, the other sees, and controllers see both', async () => {
    await api(first, 'POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'shared' } })
    expect((await api(second, 'GET', '/api/v1/namespaces/default/configmaps/shared')).status).toBe(200)
    expect(await timeToAccount(first, 'by-first')).toBeLessThan(10_000)
    expect(await timeToAccount(second, 'by-second')).toBeLessThan(10_000)
  }, 60_000)

  test('services of both share no address', async () => {
    const service = (name: string) => ({ metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80 }] } })
    const path = '/api/v1/namespaces/default/services'
    const creates = [first, second].flatMap((server, which) =>
      Array.from({ length: 30 }, (_, at) => api(server, 'POST', path, service(`s-${which}-${at}`))),
    )
    const answers = await Promise.all(creates)
    expect(new Set(answers.map(({ document }) => document.spec?.clusterIP)).size).toBe(60)
    expect(new Set(answers.map(({ document }) => document.spec?.ports[0].nodePort)).size).toBe(60)
  }, 60_000)

  test('creates through both never exceed a quota', async () => {
    const quotas = '/api/v1/namespaces/by-first/resourcequotas'
    await api(first, 'POST', quotas, { metadata: { name: 'q' }, spec: { hard: { secrets: '10' } } })
    // Both must know of it: each follows the log by itself.
    for (const server of [first, second]) {
      const began = performance.now()
      const isCounted = async () => (await api(server, 'GET', `${quotas}/q`)).document.status?.used?.secrets === '0'
      while (!(await isCounted())) expect(performance.now() - began).toBeLessThan(20_000)
    }
    const path = '/api/v1/namespaces/by-first/secrets'
    const creates = [first, second].flatMap((server, which) =>
      Array.from({ length: 20 }, (_, at) => api(server, 'POST', path, { metadata: { name: `s-${which}-${at}` } })),
    )
    const statuses = (await Promise.all(creates)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(10)
    expect(statuses.filter((status) => status === 403)).toHaveLength(30)
  }, 60_000)

  test('when the server with the controllers is killed, the other takes over within fifteen seconds', async () => {
    await first.end('SIGKILL')
    const milliseconds = await timeToAccount(second, 'after-kill')
    expect(milliseconds).toBeLessThan(15_000)
  }, 60_000)
})

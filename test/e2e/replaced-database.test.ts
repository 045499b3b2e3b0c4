import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findPostgres, PostgresServer } from '@hykube/server/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../attacks/attacker.ts'
import { startServer, type TestServer } from './server.ts'

const search = findPostgres()
const missing = search.kind === 'missing' ? ` (${search.reason}) [needs postgres]` : ''

const api = (server: TestServer, method: string, path: string, body?: object) =>
  send(server, { method, path, token: server.adminToken, ...(body && { body }) })

const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'
const zedIsAdmin = {
  metadata: { name: 'zed' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'zed' }],
}

async function isZedAdmin(server: TestServer): Promise<boolean> {
  const review = { spec: { user: 'zed', resourceAttributes: { verb: '*', resource: '*', group: '*' } } }
  const { document } = await api(server, 'POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', review)
  return document.status.allowed
}

/** Collects a server's stderr and waits for its exit code. */
function ending(server: TestServer) {
  let said = ''
  server.process.stderr!.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  return once(server.process, 'exit').then(([code]) => ({ code, said }))
}

describe.skipIf(search.kind === 'missing')(`PostgreSQL under a running server${missing}`, () => {
  let database: PostgresServer
  beforeAll(async () => {
    database = await PostgresServer.start({ bin: search.kind === 'found' ? search.bin : '' })
  })
  afterAll(() => database.close())

  test('restored from a dump: the server ends, and a cluster-admin revoked afterwards is none', async () => {
    const options = { arguments: ['--store', database.url()] }
    const server = await startServer(options)
    const ended = ending(server)
    expect((await api(server, 'POST', bindings, zedIsAdmin)).status).toBe(201)
    const dump = join(database.directory, 'monday.sql')
    const onServer = ['-h', database.directory, '-U', 'hykube']
    writeFileSync(dump, database.run('pg_dump', [...onServer, 'postgres']))
    for (let at = 0; at < 12; at++)
      await api(server, 'POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: `later-${at}` } })
    database.run('psql', [...onServer, '-d', 'postgres', '-q', '-c', 'DROP SCHEMA hykube CASCADE'])
    database.run('psql', [...onServer, '-d', 'postgres', '-q', '-f', dump])

    const { code, said } = await ended
    expect(code).toBe(1)
    expect(said).toMatch(/^hykube: the database is not the one that this server opened: .*restart the server$/m)
    const again = await startServer({ ...options, dataDirectory: server.dataDirectory })
    expect(await isZedAdmin(again)).toBe(true)
    expect((await api(again, 'DELETE', `${bindings}/zed`)).status).toBe(200)
    expect(await isZedAdmin(again)).toBe(false)
    await again.remove()
  }, 60_000)

  test('with another master key: the server ends with exit code 1 and one line', async () => {
    expect(await endWithOtherKey(['--store', database.url('template1')])).toEqual(wrongKey)
  }, 60_000)
})

describe('SQLite under a running server', () => {
  test('replaced by an older file: the server ends, and the older file stays whole', async () => {
    const server = await startServer({ arguments: ['--store', 'sqlite:'] })
    const file = join(server.dataDirectory, 'hykube.db')
    await api(server, 'POST', bindings, zedIsAdmin)
    await server.end()
    copyFileSync(file, `${file}.older`)
    const running = await startServer({ arguments: ['--store', 'sqlite:'], dataDirectory: server.dataDirectory })
    const ended = ending(running)
    expect((await api(running, 'DELETE', `${bindings}/zed`)).status).toBe(200)
    renameSync(`${file}.older`, file)
    const { code, said } = await ended
    expect(code).toBe(1)
    expect(said).toMatch(/^hykube: the database .* is another file; .*restart the server$/m)
    rmSync(`${file}-wal`, { force: true })
    rmSync(`${file}-shm`, { force: true })
    const again = await startServer({ arguments: ['--store', 'sqlite:'], dataDirectory: server.dataDirectory })
    expect(await isZedAdmin(again)).toBe(true)
    await again.remove()
  }, 60_000)

  test('with another master key: the server ends with exit code 1 and one line', async () => {
    expect(await endWithOtherKey(['--store', 'sqlite:'])).toEqual(wrongKey)
  }, 60_000)
})

const wrongKey = {
  code: 1,
  said: expect.stringMatching(
    /^.*the data keys of this store are wrapped by master key \w+, but this server has \w+.*$/m,
  ),
}

async function endWithOtherKey(store: readonly string[]): Promise<{ code: number; said: string }> {
  const key = () => ({ HYKUBE_MASTER_KEY: Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64') })
  const dataDirectory = mkdtempSync(join(tmpdir(), 'hykube-key-'))
  try {
    const server = await startServer({ arguments: store, dataDirectory, environment: key() })
    await server.end()
    const program = resolve(import.meta.dirname, '../../bin/hykube')
    const args = ['serve', '--port', '0', '--data-dir', dataDirectory, ...store]
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...key() } })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    const [code] = await once(child, 'close')
    return { code, said }
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

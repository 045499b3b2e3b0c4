import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { findPostgres, PostgresServer } from '@hykube/server/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../attacks/attacker.ts'
import { hykube } from './cli/hykube.ts'
import { startServer, type TestServer } from './server.ts'

const secrets = '/api/v1/namespaces/default/secrets'
const api = (server: TestServer, method: string, path: string, body?: object) =>
  send(server, { method, path, token: server.adminToken, ...(body && { body }) })

async function writeSecrets(server: TestServer, prefix: string, count: number): Promise<void> {
  for (let at = 0; at < count; at += 100)
    await Promise.all(
      Array.from({ length: Math.min(100, count) }, (_, n) =>
        api(server, 'POST', secrets, {
          metadata: { name: `${prefix}-${at + n}` },
          stringData: { at: `${prefix}-${at + n}` },
        }),
      ),
    )
}

async function expectSecret(server: TestServer, name: string): Promise<void> {
  const { document } = await api(server, 'GET', `${secrets}/${name}`)
  expect(Buffer.from(document.data.at, 'base64').toString()).toBe(name)
}

const keys = async (server: TestServer) => (await api(server, 'GET', '/keys')).document
const finished = (server: TestServer) =>
  expect.poll(async () => (await keys(server)).rotation?.phase, { timeout: 40_000 }).toBe('Finished')

describe('keys of a server on SQLite', () => {
  let server: TestServer
  const options = { arguments: ['--store', 'sqlite:'] }
  const restart = async (how: NodeJS.Signals = 'SIGTERM') => {
    await server.end(how)
    server = await startServer({ ...options, dataDirectory: server.dataDirectory })
  }
  beforeAll(async () => {
    server = await startServer(options)
    await writeSecrets(server, 's', 1_000)
  }, 60_000)
  afterAll(() => server.remove())

  test('rotate: every value is encrypted with the new data key, at its revision, while the server goes on', async () => {
    const before = await api(server, 'GET', `${secrets}/s-1`)
    const rotated = await hykube(server)('keys rotate')
    expect(rotated.code, rotated.stderr).toBe(0)
    const [, id, count] = /^Data key (\d+) encrypts all values: (\d+) were rewritten/m.exec(rotated.stdout)!
    expect(Number(count)).toBeGreaterThanOrEqual(1_000)
    expect((await api(server, 'GET', `${secrets}/s-1`)).document).toEqual(before.document)
    const status = await hykube(server)('keys status')
    expect(status.stdout).toContain(`${id} `)
    expect(status.stdout).toMatch(/The last rotation of the data key finished/)
    await server.end()
    expect(dataKeysIn(join(server.dataDirectory, 'hykube.db'))).toEqual([Number(id)])
    server = await startServer({ ...options, dataDirectory: server.dataDirectory })
    await expectSecret(server, 's-999')
  }, 60_000)

  test('killed in the middle, both keys open values, and the next start goes on to the end', async () => {
    expect((await api(server, 'POST', '/keys/data')).status).toBe(202)
    await restart('SIGKILL')
    await Promise.all([expectSecret(server, 's-0'), expectSecret(server, 's-999')])
    await writeSecrets(server, 'later', 1)
    await finished(server)
    const { dataKeys } = await keys(server)
    await server.end()
    expect(dataKeysIn(join(server.dataDirectory, 'hykube.db'))).toEqual([dataKeys[0].id])
    server = await startServer({ ...options, dataDirectory: server.dataDirectory })
    await expectSecret(server, 'later-0')
  }, 60_000)

  test('the key before the last is dropped with the next rotation', async () => {
    await api(server, 'POST', '/keys/data')
    await finished(server)
    expect((await keys(server)).dataKeys).toHaveLength(2)
    await expectSecret(server, 's-5')
  }, 60_000)

  test('rotate --master: master.key is replaced, and the old one opens nothing any more', async () => {
    const file = join(server.dataDirectory, 'master.key')
    const old = readFileSync(file, 'utf8')
    const rotated = await hykube(server)('keys rotate --master')
    expect(rotated.code, rotated.stderr).toBe(0)
    const kept = /The old key is in (\S+) on the server/.exec(rotated.stderr)![1]!
    expect(readFileSync(kept, 'utf8')).toBe(old)
    expect(readFileSync(file, 'utf8')).not.toContain(old.trim())
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await restart()
    await expectSecret(server, 's-7')
    await server.end()
    renameSync(file, `${file}.new`)
    cpSync(kept, file)
    await expect(startServer({ ...options, dataDirectory: server.dataDirectory })).rejects.toThrow(
      'wrapped by master key',
    )
    renameSync(`${file}.new`, file)
    server = await startServer({ ...options, dataDirectory: server.dataDirectory })
  }, 60_000)

  test('a crash between the steps of a new master key leaves a key that opens the store', async () => {
    const file = join(server.dataDirectory, 'master.key')
    const old = readFileSync(file, 'utf8')
    await hykube(server)('keys rotate --master')
    const young = readFileSync(file, 'utf8')
    await server.end('SIGKILL')
    // Both in the file, as before the data keys were wrapped anew and as after.
    for (const content of [young + old, young]) {
      rmSync(file)
      writeFileSync(file, content, { mode: 0o600 })
      server = await startServer({ ...options, dataDirectory: server.dataDirectory })
      await expectSecret(server, 's-7')
      await server.end('SIGKILL')
    }
    server = await startServer({ ...options, dataDirectory: server.dataDirectory })
  }, 60_000)

  test('nobody but an administrator may, and no other method works', async () => {
    for (const words of ['keys status --as ann', 'keys rotate --as ann', 'keys rotate --master --as ann'])
      expect(await hykube(server)(words)).toMatchObject({ code: 1, stderr: expect.stringContaining('forbidden') })
    expect((await api(server, 'GET', '/keys/data')).status).toBe(405)
    expect((await api(server, 'POST', '/clusters/other/keys/data')).status).toBe(403)
  })
})

/** The data keys that encrypted the values in a database file. */
function dataKeysIn(file: string): number[] {
  const database = new DatabaseSync(file)
  const sql = "SELECT DISTINCT hex(substr(value, 2, 4)) AS id FROM log WHERE substr(value, 1, 1) = x'01'"
  const rows = database.prepare(sql).all() as { id: string }[]
  database.close()
  return rows.map(({ id }) => Number.parseInt(id, 16))
}

const search = findPostgres()
const missing = search.kind === 'missing' ? ` (${search.reason}) [needs postgres]` : ''

describe.skipIf(search.kind === 'missing')(`keys of two servers on one PostgreSQL${missing}`, () => {
  test('the other server learns of a new data key, and no value stays with the old one', async () => {
    const database = await PostgresServer.start({ bin: search.kind === 'found' ? search.bin : '' })
    const options = { arguments: ['--store', database.url()] }
    const first = await startServer(options)
    const dataDirectory = mkdtempSync(join(tmpdir(), 'hykube-second-'))
    cpSync(first.dataDirectory, dataDirectory, { recursive: true })
    const second = await startServer({ ...options, dataDirectory })
    try {
      await writeSecrets(first, 'a', 100)
      await api(first, 'POST', '/keys/data')
      await writeSecrets(second, 'b', 100)
      await expectSecret(second, 'a-1')
      await expectSecret(first, 'b-1')
      await finished(second)
      const [current] = (await keys(second)).dataKeys
      const sql = ['log', 'plain']
        .map(
          (table) =>
            `SELECT encode(substr(value, 2, 4), 'hex') FROM hykube.${table} WHERE substr(value, 1, 1) = '\\x01'`,
        )
        .join(' UNION ')
      const found = database.run('psql', ['-h', database.directory, '-U', 'hykube', '-d', 'postgres', '-tAc', sql])
      expect(found.toString().trim().split('\n')).toEqual([current.id.toString(16).padStart(8, '0')])
      const refused = await hykube(second)('keys rotate --master')
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('on every server') })
    } finally {
      await second.remove()
      await first.remove()
      await database.close()
    }
  }, 90_000)
})

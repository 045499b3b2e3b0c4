import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from './server.ts'

interface Answer {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, unknown>>
}

function call(
  server: TestServer,
  path: string,
  options: { method?: string; token?: string; body?: unknown } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const outgoing = request(
      `${server.url}${path}`,
      { method: options.method ?? 'GET', headers, rejectUnauthorized: false, agent: false },
      (incoming) => {
        let body = ''
        incoming.on('data', (chunk: Buffer) => {
          body += chunk.toString()
        })
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body, headers: incoming.headers }))
      },
    )
    outgoing.on('error', reject)
    outgoing.end(options.body === undefined ? undefined : JSON.stringify(options.body))
  })
}

describe('a server as a user starts it', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.remove())

  test.each(['/livez', '/readyz', '/healthz'])('%s says ok to everybody', async (path) => {
    expect(await call(server, path)).toMatchObject({ status: 200, body: 'ok' })
  })

  test('single checks are for those who may see them', async () => {
    expect((await call(server, '/readyz/store')).status).toBe(403)
    expect(await call(server, '/readyz/store', { token: server.adminToken })).toMatchObject({ status: 200, body: 'ok' })
    expect((await call(server, '/readyz/nothing', { token: server.adminToken })).status).toBe(404)
  })

  test('verbose health names every check', async () => {
    expect((await call(server, '/readyz?verbose')).body).toBe(
      '[+]ping ok\n[+]store ok\n[+]watch ok\nreadyz check passed\n',
    )
  })

  test('the version is for everybody, the API is not', async () => {
    expect(JSON.parse((await call(server, '/version')).body)).toMatchObject({ major: '1', minor: '36' })
    expect((await call(server, '/api/v1/namespaces')).status).toBe(403)
  })

  test('the admin token is admin, and a wrong token is nobody', async () => {
    expect((await call(server, '/api/v1/namespaces', { token: server.adminToken })).status).toBe(200)
    expect((await call(server, '/api/v1/namespaces', { token: 'wrong' })).status).toBe(401)
    expect((await call(server, '/livez', { token: 'wrong' })).status).toBe(401)
  })

  test('secrets on disk are for their owner alone', () => {
    for (const name of ['admin.kubeconfig', 'admin.token', 'master.key', 'ca.key', 'server.key', 'sa.key'])
      expect(statSync(join(server.dataDirectory, name)).mode & 0o777).toBe(0o600)
  })

  test('an unknown logical cluster is forbidden', async () => {
    expect((await call(server, '/clusters/nowhere/api/v1/namespaces', { token: server.adminToken })).status).toBe(403)
  })

  test('every answer has an audit id, and takes the one it was given', async () => {
    expect((await call(server, '/version')).headers['audit-id']).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('a server with a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-e2e-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  test('ends with 0 on SIGTERM, and keeps everything over a restart on another port', async () => {
    const first = await startServer({ dataDirectory: directory, arguments: [] })
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept' }, data: { a: 'b' } }
    const path = '/api/v1/namespaces/default/configmaps'
    expect((await call(first, path, { method: 'POST', token: first.adminToken, body })).status).toBe(201)
    expect(await first.end('SIGTERM')).toBe(0)

    const second = await startServer({ dataDirectory: directory, arguments: [] })
    expect(second.adminToken).toBe(first.adminToken)
    expect(readFileSync(second.kubeconfig, 'utf8')).toContain(second.url)
    expect(JSON.parse((await call(second, `${path}/kept`, { token: second.adminToken })).body)).toMatchObject({
      data: { a: 'b' },
    })
    expect(await second.end('SIGINT')).toBe(0)
  })

  test('an acknowledged write survives kill -9', async () => {
    const first = await startServer({ dataDirectory: directory, arguments: [] })
    const path = '/api/v1/namespaces/default/configmaps'
    for (const name of ['one', 'two'])
      expect(
        (await call(first, path, { method: 'POST', token: first.adminToken, body: { metadata: { name } } })).status,
      ).toBe(201)
    expect(await first.end('SIGKILL')).toBe('SIGKILL')
    const second = await startServer({ dataDirectory: directory, arguments: [] })
    const names = (
      JSON.parse((await call(second, path, { token: second.adminToken })).body) as {
        items: { metadata: { name: string } }[]
      }
    ).items
    expect(names.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(['one', 'two']))
    await second.end()
  })

  test('a secret is nowhere to be found in the files, with a key that a command gives', async () => {
    const own = mkdtempSync(join(tmpdir(), 'hykube-e2e-'))
    const keyFile = join(own, 'given.key')
    writeFileSync(keyFile, randomBytes(32).toString('base64'), { mode: 0o600 })
    const data = join(own, 'data')
    const server = await startServer({ dataDirectory: data, arguments: ['--master-key-command', `cat ${keyFile}`] })
    const planted = 'planted-4711-planted'
    const post = (resource: string, body: unknown) =>
      call(server, `/api/v1/namespaces/default/${resource}`, { method: 'POST', token: server.adminToken, body })
    expect((await post('secrets', { metadata: { name: 's' }, stringData: { k: planted } })).status).toBe(201)
    expect((await post('configmaps', { metadata: { name: 'c' }, data: { k: 'open-4711-open' } })).status).toBe(201)
    const files = readdirSync(data).map((name) => readFileSync(join(data, name)))
    const found = (text: string) => files.filter((bytes) => bytes.includes(text)).length
    expect(found('open-4711-open')).toBeGreaterThan(0)
    expect([found(planted), found(Buffer.from(planted).toString('base64'))]).toEqual([0, 0])
    expect(existsSync(join(data, 'master.key'))).toBe(false)
    await server.remove()
    rmSync(own, { recursive: true, force: true })
  })

  test('a second server on the same file is refused', async () => {
    const first = await startServer({ dataDirectory: directory, arguments: [] })
    await expect(startServer({ dataDirectory: directory, arguments: [] })).rejects.toThrow(/another|in use|locked/i)
    await first.end()
    expect(existsSync(join(directory, 'hykube.db'))).toBe(true)
  })
})

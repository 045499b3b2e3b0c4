import { execFile } from 'node:child_process'
import { connect } from 'node:http2'
import { Agent, request } from 'node:https'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from './server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.remove())

const path = '/api/v1/namespaces/default/configmaps'

describe('Node’s own HTTP/2 client', () => {
  test('creates, reads and heads objects, many at once on one connection', async () => {
    const session = connect(server.url, { rejectUnauthorized: false })
    const call = (method: string, to: string, body?: string) =>
      new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
        const stream = session.request(
          {
            ':method': method,
            ':path': to,
            authorization: `Bearer ${server.adminToken}`,
            'content-type': 'application/json',
          },
          { endStream: body === undefined },
        )
        let headers: Record<string, unknown> = {}
        let text = ''
        stream.on('response', (given) => {
          headers = given
        })
        stream.setEncoding('utf8')
        stream.on('data', (chunk: string) => {
          text += chunk
        })
        stream.on('end', () => resolve({ status: Number(headers[':status']), headers, body: text }))
        stream.on('error', reject)
        if (body !== undefined) stream.end(body)
      })
    const names = Array.from({ length: 60 }, (_, at) => `n-${at}`)
    const large = 'x'.repeat(300_000)
    const created = await Promise.all(
      names.map((name) => call('POST', path, JSON.stringify({ metadata: { name }, data: { name, large } }))),
    )
    expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]))
    const read = await Promise.all(names.map((name) => call('GET', `${path}/${name}`)))
    expect(read.map(({ body }) => JSON.parse(body).data.name)).toEqual(names)
    const head = await call('HEAD', `${path}/n-0`)
    expect(head).toMatchObject({ status: 200, body: '' })
    expect(Number(head.headers['content-length'])).toBe(Buffer.byteLength(read[0]!.body))
    const tooLarge = await call('POST', path, JSON.stringify({ data: { large: 'x'.repeat(4 << 20) } }))
    expect(tooLarge.status).toBe(413)
    session.close()
  })
})

test('HTTP/1.1 is spoken with whoever asks for it', async () => {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false })
  const version = () =>
    new Promise<string>((resolve, reject) => {
      const sent = request(
        `${server.url}/version`,
        { agent, headers: { authorization: `Bearer ${server.adminToken}` } },
        (answer) => {
          answer.resume()
          answer.on('end', () => resolve(`${answer.httpVersion} ${answer.statusCode}`))
        },
      )
      sent.on('error', reject)
      sent.end()
    })
  expect(await version()).toBe('1.1 200')
  expect(await version()).toBe('1.1 200')
  agent.destroy()
})

const curl = promisify(execFile)
const hasCurl = await curl('curl', ['--version']).then(
  ({ stdout }) => stdout.includes('HTTP2'),
  () => false,
)

describe.skipIf(!hasCurl)('curl', () => {
  test.each(['--http1.1', '--http2'])('%s', async (version) => {
    const { stdout } = await curl('curl', [
      ...['-sk', version, '-w', ' %{http_version} %{http_code}', '-H', `Authorization: Bearer ${server.adminToken}`],
      `${server.url}/readyz`,
    ])
    expect(stdout).toBe(`ok ${version === '--http2' ? '2' : '1.1'} 200`)
  })

  test('with a body larger than a window', async () => {
    const { stdout } = await curl('curl', [
      ...[
        '-sk',
        '--http2',
        '-o',
        '/dev/null',
        '-w',
        '%{http_code}',
        '-H',
        `Authorization: Bearer ${server.adminToken}`,
      ],
      ...[
        '-H',
        'Content-Type: application/json',
        '-d',
        JSON.stringify({ metadata: { name: 'curl' }, data: { a: 'y'.repeat(100_000) } }),
      ],
      `${server.url}${path}`,
    ])
    expect(stdout).toBe('201')
  })
})

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../attacks/attacker.ts'
import { program } from './cli/hykube.ts'
import { startServer, type TestServer } from './server.ts'

const directory = mkdtempSync(join(tmpdir(), 'hykube-starting-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Starts a server and waits for its end. */
async function ending(child: ChildProcess): Promise<{ code: number | null; said: string }> {
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { code, said }
}

const serve = (...args: readonly string[]) => ending(spawn(program, ['serve', ...args]))

describe('a second server', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ dataDirectory: join(directory, 'first') })
  })
  afterAll(() => server.remove())

  test('is refused the data directory of the first, whatever its store, and leaves the kubeconfig alone', async () => {
    const before = readFileSync(server.kubeconfig, 'utf8')
    const { code, said } = await serve('--port', '0', '--data-dir', server.dataDirectory, '--store', 'memory:')
    expect(code).toBe(1)
    expect(said).toContain(`the data directory ${server.dataDirectory} is in use by another server`)
    expect(readFileSync(server.kubeconfig, 'utf8')).toBe(before)
  })

  test('is refused a port in use before it makes anything, with a free port to use', async () => {
    const port = new URL(server.url).port
    const other = join(directory, 'other')
    const { code, said } = await serve('--port', port, '--data-dir', other)
    expect(code).toBe(1)
    expect(said).toMatch(new RegExp(`port ${port} on 127.0.0.1 is in use, .*: --port \\d+\n$`))
    expect(existsSync(other)).toBe(false)
  })
})

test.each([
  ['mysql://me:secret@host/db', '--store mysql: is not supported; use sqlite:'],
  ['postgres//me-secret@host/db', '--store without a scheme is not supported; use sqlite:'],
  ['postgres://me:se/cret@127.0.0.1/db', 'cannot parse the URL of --store'],
  ['postgres://me:secret@127.0.0.1:99999/db', 'cannot parse the URL of --store'],
  ['postgres://me:secret@127.0.0.1:1/db', 'connect ECONNREFUSED 127.0.0.1:1'],
  ['postgres://me:secret@127.0.0.1:1/db?sslcert=/missing', "open '/missing'"],
])('the store %s is refused without repeating the password', async (store, message) => {
  const { code, said } = await serve('--port', '0', '--data-dir', join(directory, 'refused'), '--store', store)
  expect(code).toBe(1)
  expect(said).toContain(message)
  expect(said).not.toMatch(/secret|cret@/)
})

describe.runIf(existsSync('/proc/self/task'))('Ctrl-C while a server starts', () => {
  test('stops the provider processes that it started', async () => {
    const dataDirectory = join(directory, 'interrupted')
    const first = await startServer({ dataDirectory, arguments: [] })
    const sim = { metadata: { name: 'sim' }, spec: { source: 'hykube/sim' } }
    const providers = '/apis/hykube.io/v1alpha1/providers'
    const created = await send(first, { method: 'POST', path: providers, token: first.adminToken, body: sim })
    expect(created.status).toBe(201)
    // Killed before the schema is known, so that the next start asks the provider for it.
    await first.end('SIGKILL')

    const child = spawn(program, ['serve', '--port', '0', '--data-dir', dataDirectory])
    const ended = ending(child)
    let started: readonly number[] = []
    await expect.poll(() => (started = providerProcesses(child.pid!)), { interval: 5 }).not.toEqual([])
    child.kill('SIGINT')
    const { code, said } = await ended
    expect({ code, said }).toEqual({ code: 0, said: expect.not.stringContaining('ready') })
    expect(started.filter((pid) => commandOf(pid) !== '')).toEqual([])
  })
})

function providerProcesses(server: number): number[] {
  const children = readOr(`/proc/${server}/task/${server}/children`).split(' ').map(Number)
  return children.filter((pid) => pid > 0 && commandOf(pid).includes('provider'))
}

function commandOf(pid: number): string {
  return readOr(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

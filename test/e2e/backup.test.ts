import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { estate, hykube, lastLine, simProvider } from './cli/hykube.ts'
import { startServer, type TestServer } from './server.ts'

describe('backup and restore', () => {
  let home: string
  let server: TestServer
  let run: ReturnType<typeof hykube>
  let backup: string
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'hykube-backup-'))
    backup = join(home, 'monday.backup')
    server = await startServer({ arguments: ['--store', 'sqlite:'] })
    run = hykube(server)
    const input = `${simProvider()}${estate()}---\n${secretObject}`
    const applied = await run(['apply', '-f', '-', '--auto-approve'], { input })
    expect(applied.code, applied.stderr).toBe(0)
    await run(['apply', '-f', '-'], { input: estate({ size: 'large' }) })
    await run('plan --out waits')
  }, 120_000)
  afterAll(async () => {
    await server.remove()
    rmSync(home, { recursive: true, force: true })
  })

  test('a backup is a new file of its owner with everything of the server, and overwrites nothing', async () => {
    const made = await run(['backup', backup])
    expect(made.code, made.stderr).toBe(0)
    expect(made.stdout).toMatch(/^Backup .* is complete: [\d.]+ MB\.$/m)
    expect(statSync(backup).mode & 0o777).toBe(0o600)
    const bytes = readFileSync(backup)
    expect(bytes.includes('10.0.1.0/24')).toBe(true)
    expect(bytes.includes(planted) || bytes.includes(Buffer.from(planted).toString('base64'))).toBe(false)
    const again = await run(['backup', backup])
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') })
    expect(readFileSync(backup).equals(bytes)).toBe(true)
  })

  test('only whoever may read /backup gets it, and leaves no file otherwise', async () => {
    const file = join(home, 'stolen')
    const refused = await run(['backup', file, '--as', 'ann'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('forbidden') })
    expect(existsSync(file)).toBe(false)
  })

  test('it comes to stdout too', async () => {
    expect((await run('backup -')).stdout).toMatch(/^HYKUBE-BACKUP 1\n\{"revision":\d+/)
  })

  test('while others write, it shows one moment; restored, everything is as it was, and the past is gone', {
    timeout: 120_000,
  }, async () => {
    let running = true
    const writing = (async () => {
      for (let at = 0; running; at++) await put(server, 'left', at).then(() => put(server, 'right', at))
    })()
    const file = join(home, 'busy.backup')
    expect((await run(['backup', file])).code).toBe(0)
    running = false
    await writing
    const { revision } = JSON.parse(readFileSync(file, 'latin1').split('\n')[1]!) as { revision: number }
    const then = await listed(server, `&resourceVersion=${revision}&resourceVersionMatch=Exact`)
    const directory = restoreDirectory('sqlite', server)
    const restored = await run(['restore', file, '--data-dir', directory])
    expect(restored.code, restored.stderr).toBe(0)

    const second = await startServer({ dataDirectory: directory, arguments: ['--store', 'sqlite:'] })
    try {
      expect(await listed(second)).toEqual(then)
      const on = hykube(second)
      // Encrypted at rest, and opened by the same master key.
      const secret = await call(second, '/api/v1/namespaces/default/secrets/key')
      expect(secret.body.data).toEqual({ password: Buffer.from(planted).toString('base64') })
      // A client that remembers a revision lists again, and nothing of the new is taken for the old.
      const gone = await call(second, `/api/v1/configmaps?watch=1&resourceVersion=${revision}`)
      expect(gone.body).toMatchObject({ type: 'ERROR', object: { code: 410 } })
      expect(Number((await call(second, '/api/v1/configmaps')).body.metadata?.resourceVersion)).toBeGreaterThan(1e9)
      // A plan from before the restore is stale, because its changes may have been applied since.
      expect((await on('apply waits')).stderr).toMatch(/plan "waits" is stale/)
      const planned = await on('plan --out after')
      expect(lastLine(planned.stdout), planned.stderr).toBe('Plan: 0 to add, 3 to change, 0 to destroy.')
    } finally {
      await second.remove()
    }
  })

  test('a plan that was being applied then decides what was begun, and begins nothing again', {
    timeout: 120_000,
  }, async () => {
    const input = simProvider({ name: 'slow', latency: 1000 }) + estate({ provider: 'slow', machines: 8 })
    const applying = run(['apply', '-f', '-', '--auto-approve', '--out', 'midway', '--parallelism', '1'], { input })
    const path = '/apis/hykube.io/v1alpha1/namespaces/default/plans/midway'
    await until(async () => ((await call(server, path)).body.status?.progress?.done ?? 0) >= 2)
    const file = join(home, 'midway.backup')
    expect((await run(['backup', file])).code).toBe(0)
    expect((await applying).code).toBe(0)
    const directory = restoreDirectory('midway', server)
    const made = objectsOutside(directory)
    expect((await run(['restore', file, '--data-dir', directory])).code).toBe(0)
    const second = await startServer({ dataDirectory: directory, arguments: ['--store', 'sqlite:'] })
    try {
      await until(async () => (await call(second, path)).body.status?.phase === 'Canceled')
      expect(objectsOutside(directory)).toEqual(made)
    } finally {
      await second.remove()
    }
  })

  test.each([
    ['changed', (bytes: Buffer) => bytes.fill(0, bytes.length >> 1, (bytes.length >> 1) + 1000)],
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 40)],
    ['something else', () => Buffer.from('{}\n')],
  ])('a backup that is %s is refused, and leaves nothing', async (_, damage) => {
    const file = join(home, 'damaged.backup')
    writeFileSync(file, damage(readFileSync(backup)))
    const directory = restoreDirectory('damaged', server)
    const refused = await run(['restore', file, '--data-dir', directory])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot read the backup') })
    expect(existsSync(join(directory, 'hykube.db'))).toBe(false)
  })

  test('a backup that is not there is reported before anything is created', async () => {
    const directory = join(home, 'nothing')
    expect(await run(['restore', join(home, 'tuesday.backup'), '--data-dir', directory])).toEqual({
      code: 1,
      stdout: '',
      stderr: `hykube: cannot restore ${join(home, 'tuesday.backup')}: the file does not exist\n`,
    })
    expect(existsSync(directory)).toBe(false)
  })

  test('without the master key, or with another, the restore fails', async () => {
    const directory = join(home, 'keyless')
    const missing = await run(['restore', backup, '--data-dir', directory])
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringMatching(/Copy the master\.key of the old server/) })
    const other = await startServer({ arguments: ['--store', 'sqlite:'] })
    const key = join(other.dataDirectory, 'master.key')
    const wrong = await run(['restore', backup, '--data-dir', directory, '--master-key-file', key])
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toMatch(/master key/)
    expect(existsSync(join(directory, 'hykube.db'))).toBe(false)
    // Neither is a store that is there replaced.
    cpSync(join(server.dataDirectory, 'master.key'), join(home, 'right.key'))
    const there = await run([
      'restore',
      backup,
      '--data-dir',
      other.dataDirectory,
      '--master-key-file',
      join(home, 'right.key'),
    ])
    expect(there).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') })
    await other.remove()
  })

  function restoreDirectory(of: string, { dataDirectory }: TestServer): string {
    const directory = join(home, of)
    mkdirSync(directory, { recursive: true })
    // The keys that somebody kept apart; and the world, which is outside.
    for (const name of ['master.key', 'ca.crt', 'ca.key', 'sa.key', 'worlds'])
      cpSync(join(dataDirectory, name), join(directory, name), { recursive: true })
    return directory
  }
})

const planted = 'planted-7c1f'
const secretObject = `apiVersion: v1\nkind: Secret\nmetadata: {name: key}\nstringData: {password: ${planted}}\n`

interface Answer {
  readonly status: number
  readonly body: {
    readonly metadata?: { readonly resourceVersion?: string }
    readonly data?: unknown
    readonly status?: { readonly phase?: string; readonly progress?: { readonly done: number } }
    readonly items?: readonly { readonly metadata: { readonly name: string }; readonly data?: unknown }[]
  }
}

async function call(server: TestServer, path: string, method = 'GET', body?: object): Promise<Answer> {
  const { request } = await import('node:https')
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/json' }
    const outgoing = request(
      `${server.url}${path}`,
      { method, headers, rejectUnauthorized: false, agent: false },
      (incoming) => {
        let text = ''
        incoming.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) as Answer['body'] }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; !(await isSo()); turn++) {
    if (turn > 1800) throw new Error('it never came to be so')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function objectsOutside(dataDirectory: string): string[] {
  return readdirSync(join(dataDirectory, 'worlds'), { recursive: true, encoding: 'utf8' }).sort()
}

async function put(server: TestServer, name: string, at: number): Promise<void> {
  const path = '/api/v1/namespaces/default/configmaps'
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { at: String(at) } }
  const { status } = await call(server, `${path}/${name}`, 'PUT', body)
  if (status === 404) await call(server, path, 'POST', body)
}

/** Every ConfigMap and provider object, with its revision. */
async function listed(server: TestServer, query = ''): Promise<unknown[]> {
  const paths = [
    '/api/v1/configmaps',
    '/apis/sim.hykube.io/v1/sim-instances',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ]
  const lists = await Promise.all(paths.map((path) => call(server, `${path}?limit=5000${query}`)))
  expect(lists.every(({ body }) => (body.items ?? []).length > 0)).toBe(true)
  return lists.map(({ body }) => body.items)
}

import { createHash } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startServer, type TestServer } from '../e2e/server.ts'
import { installScriptProviders, runScript } from './run-script.ts'

// A provider that runs whatever it is asked stands for one that is hostile.
describe.runIf(process.platform === 'linux' && process.getuid?.() === 0).each([
  ['in a directory that others can enter', () => mkdtempSync(join(tmpdir(), 'hykube-isolated-'))],
  [
    'below a directory that others can not enter',
    () => {
      const outer = mkdtempSync(join(tmpdir(), 'hykube-isolated-'))
      mkdirSync(join(outer, 'data'))
      return join(outer, 'data')
    },
  ],
])('a provider of a server that is root, %s', (_, makeDirectory) => {
  let server: TestServer
  let granted: string

  beforeAll(async () => {
    granted = mkdtempSync(join(tmpdir(), 'hykube-granted-'))
    const dataDirectory = makeDirectory()
    const paths = ['--provider-path', `one=${join(granted, 'given')}`]
    chmodSync(granted, 0o711)
    server = await startServer({ dataDirectory, arguments: ['--allow-local-scripts', ...paths] })
    await installScriptProviders(server, ['one', 'two'])
  }, 60_000)
  afterAll(async () => {
    await server?.remove()
    rmSync(granted, { recursive: true, force: true })
  })

  const run = (provider: string, command: string) => runScript(server, provider, command)

  test('runs as a user of its own, without groups, capabilities and the way to more', async () => {
    const facts = await run('one', 'id; cat /proc/self/status; ulimit -c')
    const uid = Number(/^uid=(\d+)/.exec(facts)?.[1])
    expect(uid).toBeGreaterThanOrEqual(60_578)
    expect(uid).toBeLessThanOrEqual(61_183)
    expect(facts).toMatch(new RegExp(`^Uid:(\\s+${uid}){4}$`, 'm'))
    expect(facts).toMatch(new RegExp(`groups=${uid}$`, 'm'))
    expect(facts).toMatch(/^NoNewPrivs:\s+1$/m)
    expect(facts).toMatch(/^CapBnd:\s+0+$/m)
    expect(facts.trim().split('\n').at(-1)).toBe('0')
    expect(await run('two', 'id -u')).not.toBe(`${uid}\n`)
  })

  test('reads nothing of the data directory', async () => {
    const files = readdirSync(server.dataDirectory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !file.includes('/packages/') && !file.includes('providers/work/'))
    expect(files.map((file) => file.slice(server.dataDirectory.length + 1))).toEqual(
      expect.arrayContaining(['master.key', 'admin.token', 'admin.key', 'hykube.db', 'sa.key']),
    )
    const seen = await run('one', files.map((file) => `cat '${file}' >/dev/null && echo 'READ ${file}'`).join('; '))
    expect(seen).not.toContain('READ')
    expect(seen).toContain('Permission denied')
    expect(await run('one', `ls '${server.dataDirectory}' && echo LISTED`)).not.toContain('LISTED')
    expect(await run('one', `touch '${server.dataDirectory}/x' && echo WROTE`)).not.toContain('WROTE')
  })

  test('reads nothing of another provider, and signals no process but its own', async () => {
    await run('two', 'echo secret >kept')
    const home = (await run('two', 'pwd')).trim()
    expect(readFileSync(join(home, 'kept'), 'utf8')).toBe('secret\n')
    expect(await run('one', `cat '${home}/kept' && echo READ; ls '${home}' && echo READ`)).not.toContain('READ')
    expect(await run('one', `kill -0 ${server.process.pid} && echo SIGNALLED`)).not.toContain('SIGNALLED')
    const others = await run(
      'one',
      'for p in /proc/[0-9]*; do u=$(stat -c %u $p 2>/dev/null); [ "$u" = "$(id -u)" ] || cat $p/environ >/dev/null 2>&1 && [ "$u" != "$(id -u)" ] && echo READ $p; done; true',
    )
    expect(others).not.toContain('READ')
  })

  test('keeps files in a working directory of its own, and in what it was granted', async () => {
    expect(await run('one', 'echo first >mine; cat mine')).toBe('first\n')
    expect(await run('one', 'cat "$HOME/mine"; stat -c %a .')).toBe('first\n700\n')
    expect(await run('one', `echo x >${granted}/given/file && echo WROTE`)).toBe('WROTE\n')
    expect(await run('two', `echo x >${granted}/given/file && echo WROTE`)).not.toContain('WROTE')
    expect(readdirSync(join(server.dataDirectory, 'providers/work/root')).sort()).toEqual(['one', 'two'])
  })

  test('does not lead to files of the server that others can write or read', () => {
    for (const name of readdirSync(server.dataDirectory)) {
      if (name === 'providers') continue
      expect(`${name} ${(statSync(join(server.dataDirectory, name)).mode & 0o077).toString(8)}`).toBe(`${name} 0`)
    }
  })
})

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'a directory that another user made for it beforehand is not used',
  async () => {
    const outer = mkdtempSync(join(tmpdir(), 'hykube-claimed-'))
    const dataDirectory = join(outer, 'data')
    const name = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)
    const area = join(tmpdir(), `hykube-providers-${name}`)
    mkdirSync(area)
    chownSync(area, 12_345, 12_345)
    onTestFinished(() => {
      for (const path of [outer, area]) rmSync(path, { recursive: true, force: true })
    })
    await expect(startServer({ dataDirectory })).rejects.toThrow("must be owned by the server's user")
  },
)

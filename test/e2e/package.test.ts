import { execFile, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { createHttpsTransport, loadKubeconfig } from '@hykube/runtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeBlocks } from '../docs/code-blocks.ts'
import { describeWith } from '../real-parts/index.ts'
import { estate, lastLine, root, simProvider } from './cli/hykube.ts'
import { client, startServer, type TestServer } from './server.ts'

const execute = promisify(execFile)

describe('the package that npm pack makes', () => {
  let home: string
  let tarball: string
  let program: string
  beforeAll(async () => {
    // A blank in the path, as other people's directories have.
    home = mkdtempSync(join(tmpdir(), 'hykube package-'))
    // Where the server is root, providers run as other users, who must be able to read their code.
    chmodSync(home, 0o755)
    await npm(['pack', '--silent', '--pack-destination', home], root)
    tarball = join(home, readdirSync(home).find((name) => name.endsWith('.tgz'))!)
    writeFileSync(join(home, 'package.json'), '{"type":"module"}')
    // The bundled Node is 50 MB of somebody else's: that of the clone is put where npm would put it.
    await npm(['install', '--offline', '--omit=optional', tarball], home)
    for (const name of readdirSync(join(root, 'node_modules')).filter((each) =>
      /^node-(bin-)?(linux|darwin)/.test(each),
    )) {
      symlinkSync(join(root, 'node_modules', name), join(home, 'node_modules', name))
      symlinkSync(`../${name}/bin/node`, join(home, 'node_modules/.bin/node'))
    }
    program = join(home, 'node_modules/.bin/hykube')
  }, 120_000)
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  test('has the program and nothing of the workshop', async () => {
    const { stdout } = await execute('tar', ['-tzf', tarball])
    const files = stdout.trim().split('\n')
    expect(files).toEqual(expect.arrayContaining(['package/bin/hykube', 'package/dist/hykube.mjs', 'package/LICENSE']))
    expect(
      files.filter((file) => /(?<!\.d)\.ts$|\/(test|testing|packages|tools|bench|node_modules)\//.test(file)),
    ).toEqual([])
    expect(statSync(tarball).size).toBeLessThan(3e6)
    expect(existsSync(join(home, 'node_modules/hykube/dist/LICENSES.txt'))).toBe(true)
  })

  test.each([['version'], ['--help']])('starts quickly: %s', async (word) => {
    await execute(program, [word])
    const times: number[] = []
    for (let turn = 0; turn < 5; turn++) {
      const started = performance.now()
      await execute(program, [word])
      times.push(performance.now() - started)
    }
    // 60 ms where nothing else runs; the bound is for machines that do other things too.
    expect(Math.min(...times)).toBeLessThan(1000)
  })

  describe('serving in an empty directory', () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ program, arguments: [] })
    })
    afterAll(() => server.remove())

    test('plans and applies with the simulated cloud', { timeout: 120_000 }, async () => {
      const run = client(program, server)
      const applied = await run(['apply', '-f', '-', '--auto-approve'], { input: simProvider() + estate() })
      expect(applied.code, applied.stderr).toBe(0)
      expect(lastLine(applied.stdout)).toBe('Apply complete! Resources: 5 added, 0 changed, 0 destroyed.')
      expect(lastLine((await run('plan')).stdout)).toBe('No changes.')
    })

    test('has the scripts too, and its threads', { timeout: 120_000 }, async () => {
      const run = client(program, server)
      expect((await run('providers install hykube/script')).code).toBe(0)
      // More than a write-ahead log of 1 MB starts the thread that checkpoints.
      const big = JSON.stringify({
        ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'big' } },
        data: { big: 'x'.repeat(900_000) },
      })
      for (let turn = 0; turn < 3; turn++)
        expect((await run(['apply', '-f', '-', '--auto-approve'], { input: big.replace('x', `${turn}`) })).code).toBe(0)
      expect(
        await postYaml(
          server,
          `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yaml}\ndata: {big: ${'x'.repeat(20_000)}}`,
        ),
      ).toBe(201)
      expect(await server.end()).toBe(0)
      server = await startServer({ program, dataDirectory: server.dataDirectory, arguments: [] })
      expect(lastLine((await client(program, server)('plan')).stdout)).toBe('No changes.')
    })

    describeWith(['kubectl-1.36'], 'is found by kubectl', (kubectl) => {
      test('as a plugin', async () => {
        const path = `${join(home, 'node_modules/.bin')}:${process.env.PATH}`
        const { stdout } = await client(kubectl, server)('hykube version', { env: { PATH: path } })
        expect(stdout).toMatch(/^hykube \d/)
        expect((await client(kubectl, server)('get sim-networks main -o name')).stdout).toBe(
          'simnetwork.sim.hykube.io/main\n',
        )
      })
    })
  })

  describe('for authors', () => {
    const provider = codeBlocks(readFileSync(join(root, 'docs/writing-a-provider.md'), 'utf8'))
    const controller = codeBlocks(readFileSync(join(root, 'docs/writing-a-controller.md'), 'utf8'))
    const shown = (blocks: typeof provider, language: string) =>
      `${blocks.find((each) => each.language === language)!.text}\n`
    let server: TestServer
    beforeAll(async () => {
      writeFileSync(join(home, 'main.ts'), shown(provider, 'ts'))
      writeFileSync(join(home, 'terraform-provider-notes'), shown(provider, 'text'), { mode: 0o755 })
      writeFileSync(join(home, 'controller.ts'), shown(controller, 'ts'))
      mkdirSync(join(home, 'node_modules/@types'))
      for (const name of ['@types/node', 'undici-types'])
        symlinkSync(join(root, 'node_modules', name), join(home, 'node_modules', name))
      server = await startServer({ program, arguments: ['--store', 'memory:', '--provider-dir', relative('.', home)] })
    })
    afterAll(() => server.remove())

    test('has types for what the guides show, and against what they do not', { timeout: 120_000 }, async () => {
      writeFileSync(
        join(home, 'wrong.ts'),
        `${shown(provider, 'ts').replace('return { id, text: planned.text }', 'return { id, text: 7 }')}
import { Client } from 'hykube/runtime'
new Client({ transport: 'https://127.0.0.1' })`,
      )
      const { stdout } = await typeCheck(home, 'main.ts', 'controller.ts', 'wrong.ts')
      const faults = stdout.split('\n').filter((line) => /error TS/.test(line))
      expect(faults.map((line) => line.replace(/\(.*/, ''))).toEqual(['wrong.ts', 'wrong.ts'])
    })

    test('serves the provider of the guide', { timeout: 120_000 }, async () => {
      const directory = join(home, 'written')
      mkdirSync(directory)
      chmodSync(directory, 0o777)
      const input = shown(provider, 'yaml').replace('/tmp/notes', JSON.stringify(directory))
      const applied = await client(program, server)(['apply', '-f', '-', '--auto-approve'], { input })
      expect(applied.code, applied.stderr).toBe(0)
      expect(readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'))).toEqual(['Hello'])
    })

    test('runs the controller of the guide', { timeout: 120_000 }, async () => {
      const input = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: me, labels: {greet: world}}\n'
      expect((await client(program, server)(['apply', '-f', '-', '--auto-approve'], { input })).code).toBe(0)
      const running = spawn(join(home, 'node_modules/.bin/node'), ['controller.ts'], {
        cwd: home,
        env: { ...process.env, KUBECONFIG: server.kubeconfig },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = new Promise((done) => running.once('exit', done))
      let said = ''
      for await (const more of running.stdout.setEncoding('utf8')) {
        const greeted = said.includes('greeted default/me')
        said += more
        // It is told once: its own write may have it greet again, and a second signal ends it at once.
        if (!greeted && said.includes('greeted default/me')) running.kill('SIGTERM')
      }
      expect(await ended).toBe(0)
    })
  })

  test('shows the demo', { timeout: 120_000 }, async () => {
    const { stdout } = await execute(program, ['demo', '--latency', '5'], { cwd: home, maxBuffer: 1 << 26 })
    expect(stdout).toContain('Apply complete! Resources: 60 added, 0 changed, 0 destroyed.')
  })
})

// Strict, and the declarations are checked too.
async function typeCheck(cwd: string, ...files: readonly string[]): Promise<{ readonly stdout: string }> {
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext']
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  return execute(process.execPath, [tsc, ...flags, ...files], { cwd }).catch((error: { stdout: string }) => error)
}

async function postYaml({ kubeconfig }: TestServer, text: string): Promise<number> {
  const { transport, close } = createHttpsTransport(loadKubeconfig([kubeconfig]))
  const { status } = await transport({
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    headers: { 'content-type': 'application/yaml' },
    body: Buffer.from(text),
  })
  close()
  return status
}

// npm hands its own settings down to what it runs; a package is made as from a shell.
async function npm(args: readonly string[], cwd: string): Promise<void> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
  await execute('npm', args, { cwd, env: { ...env, npm_config_update_notifier: 'false' } })
}

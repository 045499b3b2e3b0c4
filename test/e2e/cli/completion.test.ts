import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'
import { startServer, type TestServer } from '../server.ts'
import { estate, hykube, program, simProvider } from './hykube.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  const run = hykube(server)
  await run(['plan', '-f', '-', '--out', 'friday'], { input: simProvider() + estate() })
})
afterAll(() => server.remove())

function shell(name: string, script: string): Promise<string> {
  const env = { ...process.env, KUBECONFIG: server.kubeconfig, PATH: `${dirname(program)}:${process.env.PATH}` }
  return new Promise((resolve, reject) =>
    execFile(name, ['-c', script], { env }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(stderr)),
    ),
  )
}

describeWith(['bash'], 'completion in bash', () => {
  test.each([
    [['appl'], ['apply']],
    [['plan', '--refresh-'], ['--refresh-only']],
    [['plan', '--refresh', 'a'], ['all']],
    [['apply', 'fri'], ['friday']],
    [
      ['show', 'sim_'],
      ['sim_instance.web', 'sim_network.main', 'sim_subnet.a'],
    ],
    [['providers', 'inst'], ['install']],
    [['completion', 'z'], ['zsh']],
  ])('%j gives %j', { timeout: 30_000 }, async (words, expected) => {
    const list = ['hykube', ...words].map((word) => `'${word}'`).join(' ')
    const script = `source <(hykube completion bash); COMP_WORDS=(${list}); COMP_CWORD=${words.length}; __hykube_complete; printf '%s\\n' "\${COMPREPLY[@]}"`
    expect((await shell('bash', script)).trim().split('\n').sort()).toEqual(expected)
  })
})

describeWith(['zsh'], 'completion in zsh', () => {
  test('the script is one that zsh takes', async () => {
    expect(
      await shell('zsh', 'autoload -U compinit; compinit -D; source <(hykube completion zsh); whence -w _hykube'),
    ).toContain('function')
  })
})

describeWith(['fish'], 'completion in fish', () => {
  test('names of plans', async () => {
    expect(await shell('fish', "hykube completion fish | source; complete -C 'hykube apply fri'")).toContain('friday')
  })
})

describeWith(['kubectl-1.36'], 'as a plugin of kubectl', (kubectl) => {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-plugin-'))
  afterAll(() => rmSync(directory, { recursive: true }))

  function call(...args: string[]): Promise<{ stdout: string; code: number }> {
    const env = {
      ...process.env,
      KUBECONFIG: server.kubeconfig,
      HOME: directory,
      PATH: `${dirname(program)}:${process.env.PATH}`,
    }
    return new Promise((done) =>
      execFile(kubectl, args, { env }, (error, stdout) => done({ stdout, code: Number(error?.code ?? 0) })),
    )
  }

  test('kubectl hykube is the same program, with the same exit codes', { timeout: 30_000 }, async () => {
    const { stdout, code } = await call('hykube', 'plan', '--detailed-exitcode', '--no-color')
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('Plan: 5 to add, 0 to change, 0 to destroy.')
    expect(code).toBe(2)
  })

  test('kubectl completes it', { timeout: 30_000 }, async () => {
    expect((await call('__complete', 'hykube', 'apply', 'fri')).stdout).toContain('friday')
  })

  test('kubectl get plans has the columns a person wants', { timeout: 30_000 }, async () => {
    const { stdout } = await call('get', 'plans')
    expect(stdout).toMatch(/^NAME\s+PHASE\s+CREATE\s+UPDATE\s+REPLACE\s+DELETE/)
    expect(stdout).toMatch(/^friday\s+Planned\s+5/m)
  })
})

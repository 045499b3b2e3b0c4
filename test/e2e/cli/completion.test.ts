import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'
import { startServer, type TestServer } from '../server.ts'
import { estate, hykube, program, simProvider } from './hykube.ts'
import { PseudoTerminal } from './pseudo-terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  const run = hykube(server)
  await run(['plan', '-f', '-', '--out', 'friday'], { input: simProvider() + estate() })
  await run(['plan', '-f', '-', '-n', 'quoted'], { input: quoted })
})
afterAll(() => server.remove())

const quoted = `apiVersion: v1
kind: Namespace
metadata: {name: quoted}
---
apiVersion: sim.hykube.io/v1
kind: SimNetwork
metadata: {name: my-net, namespace: quoted}
spec: {name: my-net, cidr: 10.0.0.0/16}
`

function environment(): NodeJS.ProcessEnv {
  const path = `${dirname(program)}:${process.env.PATH}`
  return { ...process.env, KUBECONFIG: server.kubeconfig, HOME: server.dataDirectory, PATH: path }
}

function shell(name: string, script: string): Promise<string> {
  const env = environment()
  return new Promise((resolve, reject) =>
    execFile(name, ['-c', script], { env }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(stderr)),
    ),
  )
}

// Partial command lines and all their completions.
const typed: readonly (readonly [readonly [string, ...string[]], readonly string[]])[] = [
  [['appl'], ['apply']],
  [['plan', '--refresh-'], ['--refresh-only']],
  [['plan', '--refresh', 'a'], ['all']],
  [['apply', 'fri'], ['friday']],
  [
    ['show', 'sim_'],
    ['sim_instance.web', 'sim_network.main', 'sim_subnet.a'],
  ],
  [['plan', '--target', 'sim_n'], ['sim_network.main']],
  [['providers', 'inst'], ['install']],
  [['completion', 'z'], ['zsh']],
]

// Addresses with quotes in them: what was typed, and what the line becomes.
const quotes: readonly (readonly [string, string])[] = [
  ['sim_network[', String.raw`sim_network\[\"my-net\"\]`],
  [String.raw`sim_network\[\"m`, String.raw`sim_network\[\"my-net\"\]`],
  [`'sim_network["m`, `'sim_network["my-net"]'`],
]

async function completed(terminal: PseudoTerminal, line: string): Promise<string | undefined> {
  await terminal.see(/ready> $/)
  terminal.type(`${line}\t\u000F`)
  await terminal.see(/line<.*>/)
  terminal.end()
  return /line<(.*)>/.exec(stripVTControlCharacters(terminal.written))?.[1]
}

describeWith(['bash', 'script'], 'completion in bash', (bash, script) => {
  test.each(quotes)('%s and Tab give %s', { timeout: 90_000 }, async (words, expected) => {
    const start = join(server.dataDirectory, 'bashrc')
    // Ctrl-O tells what the line is, after it was completed.
    const told = `tell() { echo "line<$READLINE_LINE>"; }; bind -x '"\\C-o": tell'`
    writeFileSync(start, `PS1='ready> '\nsource <(hykube completion bash)\n${told}\n`)
    const command = [bash, '--noprofile', '--rcfile', start, '-i']
    const terminal = new PseudoTerminal(script, command, { columns: 160, env: environment() })
    const before = 'hykube show -n quoted'
    expect(await completed(terminal, `${before} ${words}`)).toBe(`${before} ${expected} `)
  })

  test.each(typed)('%j gives %j', { timeout: 90_000 }, async (words, expected) => {
    const list = ['hykube', ...words].map((word) => `'${word}'`).join(' ')
    const script = `source <(hykube completion bash); COMP_WORDS=(${list}); COMP_CWORD=${words.length}; __hykube_complete; printf '%s\\n' "\${COMPREPLY[@]}"`
    expect((await shell(bash, script)).trim().split('\n').sort()).toEqual(expected)
  })
})

describeWith(['zsh', 'script'], 'completion in zsh', (zsh, script) => {
  let home: string
  const open: PseudoTerminal[] = []
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'hykube-zsh-'))
    const functions = join(home, 'functions')
    mkdirSync(functions)
    writeFileSync(join(functions, '_hykube'), await shell(zsh, 'hykube completion zsh'))
    // Ctrl-O tells what the line is, after it was completed.
    const told = 'tell() { zle -I; print -r -- "line<$BUFFER>"; }; zle -N tell; bindkey \'^O\' tell'
    const completion = `fpath=(${functions} $fpath); autoload -U compinit; compinit -u -D`
    writeFileSync(join(home, '.zshrc'), `PS1='ready> '\n${completion}\n${told}\n`)
  })
  afterAll(() => {
    for (const each of open) each.end()
    rmSync(home, { recursive: true, force: true })
  })

  function start(): PseudoTerminal {
    const terminal = new PseudoTerminal(script, [zsh, '-i'], { columns: 160, env: { ...environment(), ZDOTDIR: home } })
    open.push(terminal)
    return terminal
  }

  async function type(line: string): Promise<PseudoTerminal> {
    const terminal = start()
    await terminal.see(/ready> $/)
    terminal.type(`${line}\t`)
    return terminal
  }

  test.each(typed)('%j and Tab give %j', { timeout: 90_000 }, async (words, expected) => {
    const line = `hykube ${words.join(' ')}`
    if (expected.length > 1) return (await type(line)).see(new RegExp(expected.map(RegExp.escape).join('\\s+')))
    const before = ['hykube', ...words.slice(0, -1)].join(' ')
    expect(await completed(start(), line)).toBe(`${before} ${expected[0]} `)
  })

  // A bracket that is not quoted begins a subscript in zsh, where it completes something else.
  test.each(quotes.slice(1))('%s and Tab give %s', { timeout: 90_000 }, async (words, expected) => {
    const before = 'hykube show -n quoted'
    expect(await completed(start(), `${before} ${words}`)).toBe(`${before} ${expected} `)
  })

  test('candidates stand with what is known of them', { timeout: 90_000 }, async () => {
    const terminal = await type('hykube app')
    await terminal.see(/apply\s+-- Apply a plan.*\s+approve\s+-- Approve a plan/)
  })

  test('files come where files are asked for', { timeout: 90_000 }, async () => {
    expect(await completed(start(), `hykube plan -f ${join(home, 'func')}`)).toBe(`hykube plan -f ${home}/functions/`)
  })

  test('the script may also be read into a shell that runs', { timeout: 90_000 }, async () => {
    const load = 'autoload -U compinit; compinit -u -D; source <(hykube completion zsh)'
    expect(await shell(zsh, `${load}; print $_comps[hykube] $_comps[kubectl-hykube]`)).toBe('_hykube _hykube\n')
  })
})

describeWith(['fish'], 'completion in fish', (fish) => {
  const offered = async (line: string) =>
    (await shell(fish, `hykube completion fish | source; complete -C '${line}'`)).trim().split('\n').sort()

  test.each(typed)('%j gives %j', { timeout: 90_000 }, async (words, expected) => {
    const lines = await offered(`hykube ${words.join(' ')}`)
    expect(lines.map((line) => line.split('\t')[0])).toEqual(expected)
  })

  test.each(['sim_network[', String.raw`sim_network[\\"m`])(
    'an address after %s',
    { timeout: 90_000 },
    async (words) => {
      expect(await offered(`hykube show -n quoted ${words}`)).toEqual(['sim_network["my-net"]'])
    },
  )

  test('candidates stand with what is known of them', { timeout: 90_000 }, async () => {
    expect(await offered('hykube apply fri')).toEqual(['friday\tPlanned'])
  })

  test.each(['plan -f', 'plan --kubeconfig', 'serve --config', 'serve --data-dir'])(
    'files come after %s',
    { timeout: 90_000 },
    async (words) => {
      expect(await offered(`hykube ${words} ${import.meta.dirname}/pseudo-`)).toEqual([
        `${import.meta.dirname}/pseudo-terminal.ts`,
      ])
    },
  )
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

  test('kubectl hykube is the same program, with the same exit codes', { timeout: 90_000 }, async () => {
    const { stdout, code } = await call('hykube', 'plan', '--detailed-exitcode', '--no-color')
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('Plan: 5 to add, 0 to change, 0 to destroy.')
    expect(code).toBe(2)
  })

  test('kubectl completes it', { timeout: 90_000 }, async () => {
    expect((await call('__complete', 'hykube', 'apply', 'fri')).stdout).toContain('friday')
  })

  test('kubectl get plans has the columns a person wants', { timeout: 90_000 }, async () => {
    const { stdout } = await call('get', 'plans')
    expect(stdout).toMatch(/^NAME\s+PHASE\s+CREATE\s+UPDATE\s+REPLACE\s+DELETE/)
    expect(stdout).toMatch(/^friday\s+Planned\s+5/m)
  })
})

describeWith(['kubectl-1.36', 'fish'], 'as a plugin of kubectl in fish', (kubectl, fish) => {
  test("kubectl's own completion gives what the program offers", { timeout: 90_000 }, async () => {
    const script = "kubectl completion fish | source; complete -C 'kubectl hykube apply fri'"
    expect(await shell(fish, `set -x PATH ${dirname(kubectl)} $PATH; ${script}`)).toBe('friday\tPlanned\n')
  })
})

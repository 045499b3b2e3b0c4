import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'
import { client, startServer, type TestServer } from '../server.ts'
import { estate, hykube, program, simProvider } from './hykube.ts'
import { PseudoTerminal } from './pseudo-terminal.ts'

const found = JSON.stringify({
  ...{ apiVersion: 'sim.hykube.io/v1', kind: 'SimNetwork', metadata: { name: 'found' } },
  spec: { name: 'found', cidr: '10.5.0.0/16' },
})

/** Runs a command; returns the screen and the exit code. */
type Look = (...args: readonly string[]) => Promise<{ readonly text: string; readonly code: number }>

/** One of these for each width, and one without a terminal: the same life of a small estate, each in its own namespace. */
describeWith(['script', 'kubectl-1.36'], 'what a person sees of each command', (script, kubectl) => {
  let server: TestServer
  let backups: Promise<unknown> = Promise.resolve()
  beforeAll(async () => {
    server = await startServer({ arguments: [] })
    await hykube(server)(['apply', '-f', '-'], { input: simProvider() })
  })
  afterAll(() => server.remove())

  test.concurrent.for([
    ['80 columns', 80],
    ['160 columns', 160],
    ['without a terminal', undefined],
  ] as const)('%s', { timeout: 240_000 }, async ([name, columns], { expect: expectHere }) => {
    const namespace = columns === undefined ? 'plain' : `wide-${columns}`
    await client(kubectl, server)(`create namespace ${namespace}`)
    const look = columns === undefined ? plain(namespace) : onTerminal(namespace, columns)
    const shown: string[] = []
    for await (const { args, text, code, free } of life(namespace, look)) {
      // Sentences are broken by the terminal.
      if (columns !== undefined && !free && code === 0)
        for (const line of text.split('\n')) expect([...line].length, line).toBeLessThanOrEqual(columns)
      shown.push(masked(`$ hykube ${args.join(' ')}\n${text.trimEnd()}\n[${code}]\n`, namespace))
    }
    await expectHere(shown.join('\n')).toMatchFileSnapshot(`screens/${name.replaceAll(' ', '-')}.txt`)
  })

  function plain(namespace: string): Look {
    return async (...args) => {
      const { stdout, stderr, code } = await hykube(server)([...args, '-n', namespace])
      expect(stdout + stderr).toBe(stripVTControlCharacters(stdout + stderr))
      return { text: `${stdout}${stderr === '' ? '' : `[stderr]\n${stderr}`}`, code }
    }
  }

  function onTerminal(namespace: string, columns: number): Look {
    return async (...args) => {
      const env = { KUBECONFIG: server.kubeconfig, HOME: server.dataDirectory, CI: '', NO_COLOR: '' }
      const terminal = new PseudoTerminal(script, [program, ...args, '-n', namespace], { columns, env })
      const code = await terminal.ended()
      return { text: terminal.screen, code }
    }
  }

  // Each step leans on those before it.
  async function* life(namespace: string, look: Look) {
    const directory = join(server.dataDirectory, namespace)
    const world = join(server.dataDirectory, 'worlds/sim.root')
    mkdirSync(join(world, 'sim_network'), { recursive: true })
    mkdirSync(directory)
    const file = (name: string, text: string) => {
      writeFileSync(join(directory, name), text)
      return join(directory, name)
    }
    const step = async (...args: readonly string[]) => ({ args, ...(await look(...args)), free: false })
    // Output for other programs is not limited to the terminal's width.
    const free = async (...args: readonly string[]) => ({ ...(await step(...args)), free: true })
    yield await step('--help')
    yield await step('version')
    yield await step('--version')
    yield await step('providers', 'list')
    yield await free('providers', 'types')
    yield await step('plan', '-f', file('estate.yaml', estate()), '--out', 'first', '--no-pager')
    yield await step('reject', 'first', '-m', 'too early')
    yield await step('plan', '--out', 'second', '--no-pager')
    yield await step('cancel', 'second')
    yield await step('plan', '--out', 'third', '--no-pager')
    yield await step('approve', 'third', '-m', 'reviewed', '--follow')
    yield await step('apply', 'third')
    yield await step('plan', '--target', 'sim_netwrk.main')
    yield await step('history')
    yield await step('show', 'sim_instance.web')
    yield await step('show', 'third')
    for (const format of ['', 'dot', 'mermaid', 'svg'])
      yield await free('graph', ...(format === '' ? [] : ['-o', format]))
    yield await step('instances', 'sim_instance.web')
    yield await free('get', 'siminstance')
    yield await free('get', 'plans')
    yield await free('describe', 'sim_network.main')
    const { id } = await stateOf('sim_network.main', namespace)
    const there = join(world, 'sim_network', `${id}.json`)
    writeFileSync(there, JSON.stringify({ ...(JSON.parse(readFileSync(there, 'utf8')) as object), name: 'by hand' }))
    yield await step('drift', '--no-pager')
    yield await step('apply', '--refresh', 'all', '--auto-approve', '--no-pager')
    writeFileSync(
      join(world, 'sim_network', `net-found-${namespace}.json`),
      JSON.stringify({ id: `net-found-${namespace}`, name: 'found', cidr: '10.5.0.0/16' }),
    )
    await client(kubectl, server)(['apply', '-n', namespace, '-f', '-'], { input: found })
    yield await step('import', 'sim_network.found', `net-found-${namespace}`, '--auto-approve')
    yield await step('plan')
    const resource = {
      ...{ mode: 'managed', type: 'sim_network', name: 'old' },
      provider: 'provider["registry.terraform.io/local/sim"]',
      instances: [{ schema_version: 0, attributes: { id: 'net-old', name: 'old', cidr: '10.6.0.0/16' } }],
    }
    const state = file('terraform.tfstate', JSON.stringify({ version: 4, resources: [resource] }))
    yield await free('import-state', state, '--dry-run')
    yield await free('import-state', file('other.tfstate', '{"version": 3}'), '--dry-run')
    yield await step('resolve', 'sim_network.main', '--retry')
    await client(kubectl, server)(`delete sim-network main -n ${namespace} --wait=false`)
    yield await step('undelete', 'sim_network.main')
    yield await free('export-state', '--out', join(directory, 'exported.tfstate'))
    yield await step('destroy', '--auto-approve', '--no-pager')
    // A store makes one at a time, and these lives are lived together.
    const backup = backups.then(() => step('backup', join(directory, 'all.backup')))
    backups = backup
    yield await backup
    yield await step('restore', join(directory, 'all.backup'), '--data-dir', server.dataDirectory)
    yield await step('delete', 'plan', 'first')
    yield await free('doctor')
    yield await step('show', 'nonsense')
    yield await step('frobnicate')
  }

  async function stateOf(address: string, namespace: string): Promise<{ readonly id: string }> {
    const { stdout } = await hykube(server)(['show', address, '-o', 'json', '-n', namespace])
    return (JSON.parse(stdout) as { status: { attributes: { id: string } } }).status.attributes
  }

  // Replaces values that differ between runs. They change the width of columns, so runs of blanks become two.
  function masked(text: string, namespace: string): string {
    return (
      text
        .replaceAll(server.dataDirectory, 'DATA')
        .replaceAll(new RegExp(`\\b${namespace}\\b`, 'g'), 'NS')
        .replaceAll(/\b(net|sub|i|vm|inst|subnet|ins)-[0-9a-f]{8,}\b/g, '$1-ID')
        .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST:PORT')
        .replaceAll(/\b10\.0\.1\.\d+\b(?!\/)/g, 'IP')
        .replaceAll(/\b\d+(\.\d+)?( [GM]B| s\b)/g, 'N$2')
        .replaceAll(/\b\d+(\.\d+)?(ms|s|m)\b/g, 'T')
        .replaceAll(/\b\d+ (entries|more days|of \d+ open files)/g, 'N $1')
        .replaceAll(/of \d+ open files/g, 'of N open files')
        .replaceAll(/process \d+/g, 'process PID')
        // The provider may be working for one of the tests beside this one.
        .replaceAll(/(process PID, N MB), busy/g, '$1')
        .replaceAll(/plan-[a-z0-9]{5}\b/g, 'plan-NAME')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
        .replaceAll(/(v\d+\.\d+\.\d+\+hykube-|hykube |program |hykube\/sim +|Node )\d+\.\d+\.\d+/g, '$1VERSION')
        .replaceAll(/at revision \d+/g, 'at revision N')
        .replaceAll(/^(✓|!|[A-Z]+ {2,}[A-Z]|\S+ {2,}\S+ {2,}\S).*$/gm, (line) => line.replaceAll(/(\S) {2,}/g, '$1  '))
        .replaceAll(/[━─]{3,}/g, '─')
        .replaceAll(/(uid|resourceVersion): \S+/g, '$1: N')
        // Steps that run in parallel end in any order.
        .replaceAll(
          /(^\S+: [A-Z][a-z]+( complete after T.*|\.\.\.)\n)+/gm,
          (lines) => `${lines.trimEnd().split('\n').sort().join('\n')}\n`,
        )
        .trimEnd()
    )
  }
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'
import { client, startServer, type TestServer } from '../server.ts'
import { estate, hykube, lastLine, simProvider } from './hykube.ts'

describeWith(['kubectl-1.36'], 'the first hour', (kubectl) => {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-first-hour-'))
  let server: TestServer
  let run: ReturnType<typeof hykube>
  const file = (name: string, text: string) => {
    writeFileSync(join(directory, name), text)
    return join(directory, name)
  }

  beforeAll(async () => {
    server = await startServer({ arguments: ['--store', 'memory:', '--provider-dir', directory] })
    run = hykube(server)
    const applied = await run(['apply', '-f', '-', '--auto-approve'], { input: `${simProvider()}${estate()}` })
    expect(applied.code, applied.stderr).toBe(0)
  })
  afterAll(async () => {
    await server.remove()
    rmSync(directory, { recursive: true, force: true })
  })

  test('a line removed from a file that kubectl applied before removes the field', async () => {
    const bucket = (tags: string, labels: string) => `apiVersion: sim.hykube.io/v1
kind: SimBucket
metadata: {name: owned, annotations: ${labels}}
spec: {name: owned, tags: ${tags}}
`
    const before = file('bucket.yaml', bucket('{a: "1", b: "2"}', '{team: web}'))
    expect((await client(kubectl, server)(['apply', '-f', before])).code).toBe(0)
    const after = file('bucket.yaml', bucket('{a: "1"}', '{}'))
    expect((await run(['plan', '-f', after])).code).toBe(0)
    const object = JSON.parse((await run('get sim_bucket.owned -o json')).stdout)
    expect(object.spec.tags).toEqual({ a: '1' })
    expect(object.metadata.annotations?.team).toBeUndefined()
  })

  test('an apply without a terminal reports each resource with its id and duration', async () => {
    const networks = ['x', 'y'].map(
      (name) => `apiVersion: sim.hykube.io/v1
kind: SimNetwork
metadata: {name: ${name}}
spec: {name: ${name}, cidr: 10.8.0.0/16}
`,
    )
    const { stdout } = await run(['apply', '-f', '-', '--auto-approve'], { input: networks.join('---\n') })
    for (const name of ['x', 'y'])
      expect(stdout).toMatch(
        new RegExp(
          `^sim_network\\.${name}: Creating\\.\\.\\.\n(.*\n)?sim_network\\.${name}: Creation complete after \\d+s \\[id=net-[0-9a-f]+\\]$`,
          'm',
        ),
      )
    expect(lastLine(stdout)).toBe('Apply complete! Resources: 2 added, 0 changed, 0 destroyed.')
    const json = await run('destroy --target sim_network.x --auto-approve -o json')
    const lines = json.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ type }) => type)).toEqual([
      'planned_change',
      'change_summary',
      'apply_start',
      'apply_complete',
      'change_summary',
    ])
  })

  test.each(['simnetwork', 'simnetworks', 'SimNetwork', 'sim_network', 'sim-network', 'sim-networks'])(
    'kubectl and hykube find the kind as %s',
    async (name) => {
      for (const program of [client(kubectl, server), run])
        expect((await program(['get', name, 'main', '-o', 'name'])).stdout).toBe('simnetwork.sim.hykube.io/main\n')
    },
  )

  test('get, describe and delete work without kubectl', async () => {
    const rows = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/)[0])
    expect((await run('get sim-netwrks')).stderr).toContain('Did you mean sim-networks?')
    expect(rows((await run('get sim-subnets')).stdout)).toEqual(['NAME', 'a'])
    expect(rows((await run('get sim-subnets -A')).stdout)).toEqual(['NAMESPACE', 'default'])
    expect((await run('get sim_subnet.a sim_network.main -o name')).stdout).toBe(
      'simsubnet.sim.hykube.io/a\nsimnetwork.sim.hykube.io/main\n',
    )
    expect((await run('get ns/default -o yaml')).stdout).toMatch(/^apiVersion: v1\nkind: Namespace\n/)
    expect((await run('get pods')).stderr).toBe('No resources found in default namespace.\n')
    const described = (await run('describe sim_network.main')).stdout
    expect(described).toMatch(/^ {2}cidr: 10\.0\.0\.0\/16$/m)
    expect(described).toMatch(/Normal\s+Created\s+sim_network\.main: created/)
    await run(['apply', '-f', '-'], { input: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: gone}\n' })
    expect((await run('delete cm gone')).stdout).toBe('configmaps/gone deleted\n')
    expect((await run('delete plans')).code).toBe(64)
    const marked = await run('delete sim_network.main')
    expect(marked.stdout).toBe('sim-networks/main marked for deletion\n')
    expect((await run('undelete sim_network.main')).code).toBe(0)
  })

  test('a provider that cannot be installed fails at once with its reason', { timeout: 30_000 }, async () => {
    const { code, stderr } = await run('providers install local/nope')
    expect(code).toBe(1)
    expect(stderr).toContain('provider "nope" is not ready: cannot install local/nope')
  })

  test('an upgrade reports the outcome of the new version', async () => {
    const refused = await run(['providers', 'upgrade', 'sim', '~> 9.0'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('does not satisfy ~> 9.0') })
    expect(await run(['providers', 'upgrade', 'sim', '>= 0.1.0'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Provider "sim" is ready: hykube\/sim \d/),
    })
  })
})

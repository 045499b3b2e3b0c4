import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { company } from '../../../packages/cli/src/demo/index.ts'
import { client, startServer, type TestServer } from '../server.ts'
import { estate, hykube, lastLine, program, root, simProvider } from './hykube.ts'

describe('the contract for scripts', { timeout: 120_000 }, () => {
  let server: TestServer
  let run: ReturnType<typeof hykube>
  beforeAll(async () => {
    server = await startServer()
    run = hykube(server)
  })
  afterAll(() => server.remove())

  test('apply -f writes, waits for the provider, plans and applies, and says what it did last', async () => {
    const input = `${estate()}---\n${simProvider()}`
    const { code, stdout } = await run(['apply', '-f', '-', '--auto-approve'], { input })
    expect(code).toBe(0)
    expect(stdout).toContain('Plan: 5 to add, 0 to change, 0 to destroy.')
    expect(lastLine(stdout)).toBe('Apply complete! Resources: 5 added, 0 changed, 0 destroyed.')
  })

  test('plan ends with No changes. and 0 when everything is as it was written', async () => {
    const { code, stdout } = await run('plan --detailed-exitcode')
    expect({ code, last: lastLine(stdout) }).toEqual({ code: 0, last: 'No changes.' })
  })

  test('plan shows a change in place and a replacement, and ends with 2 if asked', async () => {
    const input = estate({ cidr: '10.0.2.0/24', size: 'large' })
    const { code, stdout } = await run(['plan', '-f', '-', '--out', 'friday', '--detailed-exitcode'], { input })
    expect(code).toBe(2)
    expect(lastLine(stdout)).toBe('Plan: 4 to add, 0 to change, 4 to destroy.')
    expect(stdout).toContain('~ cidr       = "10.0.1.0/24" -> "10.0.2.0/24" # forces replacement')
  })

  test('a plan applies once', async () => {
    expect(lastLine((await run('apply friday')).stdout)).toBe(
      'Apply complete! Resources: 4 added, 0 changed, 4 destroyed.',
    )
    const { code, stderr } = await run('apply friday')
    expect(code).toBe(1)
    expect(stderr).toContain('plan "friday" was already applied')
  })

  test('-o json is the plan JSON', async () => {
    const { stdout } = await run('show friday -o json')
    expect(JSON.parse(stdout)).toMatchObject({ format_version: '1.2' })
  })

  test('history has who planned and approved', async () => {
    const { stdout } = await run('history')
    expect(stdout).toMatch(/^friday\s+Normal\s+Applied\s+\+0 ~0 ±4 -0\s+admin\s+admin/m)
  })

  test('drift is found and mended', async () => {
    const world = join(server.dataDirectory, 'worlds')
    const file = findFile(world, 'sim_network')
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), name: 'by hand' }))
    const found = await run('drift --detailed-exitcode')
    expect(found.code).toBe(2)
    expect(found.stdout).toContain('# sim_network.main has changed')
    expect(found.stdout).toContain('"main" -> "by hand"')
    const repaired = await run('apply --refresh all --auto-approve')
    expect(lastLine(repaired.stdout)).toBe('Apply complete! Resources: 0 added, 1 changed, 0 destroyed.')
  })

  test('show, graph, instances and doctor print what is there', async () => {
    expect((await run('show sim_network.main')).stdout).toContain('name = "main"')
    expect((await run('graph')).stdout).toBe('● sim_instance.web\n└─ ● sim_subnet.a\n   └─ ● sim_network.main\n')
    expect((await run('instances sim_instance.web -o name')).stdout).toBe(
      'sim_instance.web[0]\nsim_instance.web[1]\nsim_instance.web[2]\n',
    )
    const doctor = await run('doctor')
    expect(doctor.code, doctor.stdout).toBe(0)
    for (const check of ['store', 'disk', 'certificate', 'clock', 'limits', 'providers'])
      expect(doctor.stdout).toMatch(new RegExp(`^✓ ${check} `, 'm'))
    expect(doctor.stdout).toMatch(/hykube\/sim \S+ runs as process \d+/)
    const ann = await run('doctor --as ann')
    expect(ann.code).toBe(0)
    expect(ann.stdout).toContain('! machine      not checked: you may not read it')
  })

  test('destroy removes everything and leaves the objects', async () => {
    const { code, stdout } = await run('destroy --auto-approve')
    expect({ code, last: lastLine(stdout) }).toEqual({ code: 0, last: 'Destroy complete! Resources: 5 destroyed.' })
    expect((await run('plan')).stdout).toContain('Plan: 5 to add, 0 to change, 0 to destroy.')
  })

  test('a target of an unknown type is refused with a similar type', async () => {
    const { code, stderr } = await run('plan --target sim_netwrk.main')
    expect(code).toBe(1)
    expect(stderr).toContain('no installed provider has the type sim_netwrk\n  Did you mean sim_network?')
  })

  test('blocked changes are shown, and an apply without others fails', async () => {
    const subnet = { apiVersion: 'sim.hykube.io/v1', kind: 'SimSubnet', metadata: { name: 'lost' } }
    const input = JSON.stringify({ ...subnet, spec: { network_id: '${sim_network.gone.id}', cidr: '10.0.9.0/24' } })
    const { code, stdout, stderr } = await run(['apply', '-f', '-', '--auto-approve'], { input })
    expect(stdout).toContain('No change of this plan can be applied:')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Nothing can be applied: 1 blocked.') })
  })

  test('a reader that closes the pipe early causes no error', async () => {
    expect((await run('providers install hykube/sim')).code).toBe(0)
    const { stdout, stderr } = await client(
      '/bin/sh',
      server,
    )(['-c', `"${program}" providers schema sim_instance | head -1`])
    expect({ stdout, stderr }).toEqual({ stdout: 'type: object\n', stderr: '' })
  })

  test.each([
    ['plan --bogus', 64],
    ['nonsense', 64],
    ['apply nowhere', 1],
    ['show sim_network.nowhere', 1],
  ])('%s ends with %i', async (words, code) => expect((await run(words)).code).toBe(code))

  test('starts in a few times what Node alone takes', async () => {
    const bare = client(process.execPath, server)
    const times = { program: Number.POSITIVE_INFINITY, node: Number.POSITIVE_INFINITY }
    const measure = async (what: keyof typeof times, work: () => Promise<unknown>) => {
      const started = performance.now()
      await work()
      times[what] = Math.min(times[what], performance.now() - started)
    }
    // In turns, so that a busy machine slows both; a command that loads what it does not need takes ten times as long.
    for (let round = 0; round < 8; round++) {
      await measure('node', () => bare(['-e', '0']))
      await measure('program', () => run('version'))
    }
    expect(times.program / times.node).toBeLessThan(8)
  })
})

test('without a kubeconfig it says what to do, and finds the one of a server nearby', { timeout: 60_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-cli-'))
  const server = await startServer({ dataDirectory: join(directory, 'hykube-data') })
  const env = { ...process.env, HOME: directory, KUBECONFIG: '' }
  try {
    const { execFile } = await import('node:child_process')
    const call = (cwd: string) =>
      new Promise<{ code: number; stdout: string; stderr: string }>((done) =>
        execFile(program, ['plan'], { cwd, env }, (error, stdout, stderr) =>
          done({ code: Number(error?.code ?? 0), stdout, stderr }),
        ),
      )
    const nearby = await call(directory)
    expect(nearby).toMatchObject({ code: 0, stdout: expect.stringContaining('\nNo changes.\n') })
    expect(nearby.stderr).toContain('using hykube-data/admin.kubeconfig')
    const nowhere = await call(tmpdir())
    expect(nowhere.code).toBe(1)
    expect(nowhere.stderr).toContain('hykube serve')
    await server.end()
    const gone = await call(directory)
    expect(gone.code).toBe(1)
    expect(gone.stderr).toMatch(/cannot reach https:.*: nothing listens there\n {2}Is the server running/)
  } finally {
    await server.remove()
    rmSync(directory, { recursive: true, force: true })
  }
})

test('examples/company is what the demo makes', () => {
  for (const { name, text } of company) expect(readFileSync(join(root, 'examples/company', name), 'utf8')).toBe(text)
})

describe('the examples', { timeout: 120_000 }, () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.remove())

  test.each([
    ['company', 60],
    ['references', 3],
    ['batch', 24],
    ['create-before-destroy', 2],
    ['two-person-approval', 1],
    ['import', 1],
  ])('%s makes %i resources', async (name, count) => {
    const run = hykube(server)
    const namespace = `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}}\n`
    expect((await run(['apply', '-f', '-'], { input: namespace })).code).toBe(0)
    const { code, stdout, stderr } = await run([
      'apply',
      '-n',
      name,
      '-f',
      join(root, 'examples', name),
      '--auto-approve',
    ])
    expect({ code, last: lastLine(stdout), stderr: code === 0 ? '' : stderr }).toEqual({
      code: 0,
      last: `Apply complete! Resources: ${count} added, 0 changed, 0 destroyed.`,
      stderr: '',
    })
  })
})

describe('two people', { timeout: 60_000 }, () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.remove())

  test('one plans, the other approves, and history has both', async () => {
    const run = hykube(server)
    const example = join(root, 'examples/two-person-approval')
    for (const file of ['0-cloud.yaml', 'roles.yaml'])
      expect((await run(['apply', '-f', join(example, file)])).code).toBe(0)
    const planned = await run([
      'apply',
      '-f',
      join(example, 'network.yaml'),
      '--auto-approve',
      '--out',
      'p',
      '--as',
      'ann',
    ])
    expect(planned.code).toBe(1)
    expect(planned.stderr).toContain('That user runs:  hykube approve p -n default')
    const approved = await run(['approve', 'p', '--as', 'bob', '-m', 'looked at it', '--follow'])
    expect(lastLine(approved.stdout)).toBe('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.')
    expect((await run('history -o wide')).stdout).toMatch(/^p\s.*ann\s+bob\s.*looked at it$/m)
  })

  test('an existing resource is imported', async () => {
    const run = hykube(server)
    const world = findFile(join(server.dataDirectory, 'worlds'), 'sim_network')
    writeFileSync(
      join(dirname(world), 'net-by-hand.json'),
      JSON.stringify({ id: 'net-by-hand', name: 'legacy', cidr: '10.9.0.0/16' }),
    )
    await run(['plan', '-f', join(root, 'examples/import/network.yaml')])
    const { code, stdout, stderr } = await run('import sim_network.legacy net-by-hand --auto-approve')
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('(imported from "net-by-hand")')
    expect(stdout).toContain('Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.')
    expect(stdout).toContain('sim_network.legacy: Import complete after 0s [id=net-by-hand]')
    expect(lastLine(stdout)).toBe('Apply complete! Resources: 1 imported, 0 added, 0 changed, 0 destroyed.')
    expect((await run('show sim_network.legacy')).stdout).toContain('id   = "net-by-hand"')
  })
})

function findFile(directory: string, type: string): string {
  const entries = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  return join(directory, entries.find((name) => name.includes(type) && name.endsWith('.json'))!)
}

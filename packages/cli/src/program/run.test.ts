import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  FakeEstate,
  type FakeEstateOptions,
  FakeTerminal,
  type FakeTerminalOptions,
  fakeHost,
} from '../command/testing/index.ts'
import { run } from './run.ts'

type PlanChange = NonNullable<FakeEstateOptions['changes']>[number]

const created: PlanChange = {
  address: 'sim_network.main',
  namespace: 'default',
  name: 'main',
  type: 'sim_network',
  action: 'create',
  change: { before: null, after: { name: 'main', cidr: '10.0.0.0/16' }, after_unknown: { id: true } },
}

async function call(
  words: string | readonly string[],
  options: FakeEstateOptions & FakeTerminalOptions = {},
  estate = new FakeEstate(options),
) {
  const terminal = new FakeTerminal(options)
  const code = await run(typeof words === 'string' ? words.split(' ') : words, { host: fakeHost(terminal, estate) })
  return { code, terminal, estate, ...{ stdout: terminal.stdout, stderr: terminal.stderr } }
}

describe('plan', () => {
  test('shows the plan as Terraform does and ends with what it comes to', async () => {
    const { code, stdout, terminal } = await call('plan --out friday', { changes: [created] })
    expect(code).toBe(0)
    expect(stdout).toMatchInlineSnapshot(`
      "Resource actions are indicated with the following symbols:
        + create

      Hykube will perform the following actions:

        # sim_network.main will be created
        + resource "sim_network" "main" {
            + cidr = "10.0.0.0/16"
            + id   = (known after apply)
            + name = "main"
          }

      This plan is saved as "friday". To apply it:  hykube apply friday

      Plan: 1 to add, 0 to change, 0 to destroy.
      "
    `)
    expect(terminal.lastLine).toBe('Plan: 1 to add, 0 to change, 0 to destroy.')
  })

  test('of blocked changes only says that nothing can be done, and apply does not ask', async () => {
    const changes = [{ ...created, action: 'blocked' as const, message: 'there is no sim_network.gone' }]
    const { stdout, terminal } = await call('plan', { changes })
    expect(stdout.split('\n')[0]).toBe('Blocked: 1 change is not possible; the entries marked "blocked" state why.')
    expect(stdout).toContain('No change of this plan can be applied:')
    expect(stdout).not.toContain('hykube apply')
    expect(terminal.lastLine).toBe('Plan: 1 blocked, 0 to add, 0 to change, 0 to destroy.')
    for (const words of ['plan', 'plan --detailed-exitcode', 'plan -o json'])
      expect(await call(words, { changes })).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Nothing can be applied: 1 blocked.'),
      })
    const applied = await call('apply', { changes })
    expect(applied).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing can be applied: 1 blocked.') })
    expect(applied.stdout).not.toContain('Enter a value')
  })

  test('of drift keeps blocked objects apart from changed ones, and gives hints only for drift', async () => {
    const blocked = { ...created, address: 'sim_network.b', action: 'blocked' as const, message: 'no' }
    const drifted = { ...created, action: 'update' as const, change: { before: { a: 1 }, after: { a: 2 } } }
    const alone = await call('drift --detailed-exitcode', { changes: [blocked] })
    expect(alone.stdout).toBe('Not checked for drift:\n  sim_network.b: no\n\nNo drift.\n')
    expect(alone).toMatchObject({ code: 1, stderr: 'Drift was not checked completely: 1 blocked.\n' })
    const both = await call('drift --detailed-exitcode', { changes: [blocked, drifted] })
    expect(both.stdout.indexOf('Not checked for drift:')).toBeGreaterThan(
      both.stdout.indexOf(`# ${created.address} has changed`),
    )
    expect(both.stdout).toContain('To accept the changes:')
    expect(both.terminal.lastLine).toBe('Drift: 1 changed, 0 deleted.')
    expect(both.code).toBe(2)
  })

  test('of which a part is blocked is applied without it, and ends with 1', async () => {
    const changes = [created, { ...created, address: 'sim_network.b', action: 'blocked' as const, message: 'no' }]
    const summary = { create: 1, blocked: 1 }
    const applying = [{ phase: 'Applied' as const, summary, outcome: { added: 1, changed: 0, destroyed: 0 } }]
    expect((await call('plan', { changes })).code).toBe(0)
    expect((await call('plan --detailed-exitcode', { changes })).code).toBe(2)
    const { code, stdout, stderr } = await call('apply --auto-approve', { changes, applying })
    expect({ code, isComplete: stdout.includes('Apply complete!') }).toEqual({ code: 1, isComplete: false })
    expect(stderr).toContain('Apply incomplete: 1 blocked. Resources: 1 added, 0 changed, 0 destroyed.')
    expect(stderr).toContain('sim_network.b is blocked: no')
  })

  test('can not be applied when it is blocked', async () => {
    const changes = [{ ...created, action: 'blocked' as const, message: 'no' }]
    const { estate } = await call('plan --out friday', { changes })
    expect(await call('apply friday', {}, estate)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('plan "friday" has nothing to apply: every change in it is blocked'),
    })
  })

  test.each([
    ['plan --kind SimNetwrk', 1, 'no installed provider has the kind SimNetwrk\n  Did you mean SimNetwork?'],
    ['plan --target sim_network.nowhere', 0, 'Warning: sim_network.nowhere does not exist'],
  ])('%s ends with %i and says what is not there', async (words, code, message) => {
    const result = await call(words)
    expect(result.stderr).toContain(message)
    expect(result.code).toBe(code)
  })

  test('ends with No changes. when there are none', async () => {
    const { code, stdout } = await call('plan --detailed-exitcode')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Drift was not checked (--refresh=all checks everything).\n\nNo changes.\n',
    })
  })

  test('--detailed-exitcode ends with 2 when there are changes', async () => {
    expect((await call('plan --detailed-exitcode', { changes: [created] })).code).toBe(2)
  })

  test('a replacement is added and destroyed, and the rest is told besides', async () => {
    const changes = (['replace', 'update', 'delete', 'import', 'blocked', 'forget'] as const).map((action) => ({
      ...created,
      action,
    }))
    const { stdout, terminal } = await call('plan', { changes })
    expect(terminal.lastLine).toBe('Plan: 1 blocked, 1 to import, 1 to add, 1 to change, 2 to destroy.')
    expect(stdout).toContain('Also: 1 to forget.')
  })

  test('flags go into the spec', async () => {
    const { estate } = await call(
      'plan --out p -l team=web,tier!=test,!old --target a_b.c --target d_e.f --replace a_b.c --refresh all --replan --parallelism 7',
    )
    const [plan] = [...estate.api.store.all()]
    expect(plan?.object.spec).toEqual({
      refresh: 'All',
      scope: 'All',
      selector: {
        matchLabels: { team: 'web' },
        matchExpressions: [
          { key: 'old', operator: 'DoesNotExist' },
          { key: 'tier', operator: 'NotIn', values: ['test'] },
        ],
      },
      targets: ['a_b.c', 'd_e.f'],
      replace: ['a_b.c'],
      parallelism: 7,
    })
  })

  test('-o json is the plan JSON and nothing else', async () => {
    const { stdout } = await call('plan -o json', { changes: [created] })
    expect(JSON.parse(stdout)).toMatchObject({ format_version: '1.2' })
  })

  test('a plan that could not be made ends with 1 and its reason', async () => {
    const { code, stderr } = await call('plan --out p', {
      planned: { phase: 'Failed', message: 'provider "sim" is not ready' },
    })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'hykube: plan "p" could not be made\n  provider "sim" is not ready\n',
    })
  })

  test('long plans are read page by page', async () => {
    const changes = Array.from({ length: 600 }, (_, index) => ({ ...created, address: `sim_network.n${index}` }))
    const { estate, stdout } = await call('plan', { changes })
    expect(estate.calls.filter((path) => path.includes('/changes'))).toHaveLength(3)
    expect(stdout.match(/will be created/g)).toHaveLength(600)
  })
})

describe('apply', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-cli-'))
  const file = join(directory, 'network.yaml')
  beforeEach(() => {
    writeFileSync(
      file,
      `apiVersion: sim.hykube.io/v1
kind: SimNetwork
metadata: {name: main}
spec: {name: main, cidr: 10.0.0.0/16}
---
apiVersion: hykube.io/v1alpha1
kind: Provider
metadata: {name: sim}
spec: {source: hykube/sim}
`,
    )
  })
  afterAll(() => rmSync(directory, { recursive: true }))

  test('with files: providers first, then the rest, then exactly that is planned and applied', async () => {
    const { code, estate, terminal } = await call(['apply', '-f', file, '--auto-approve'], { changes: [created] })
    expect(code).toBe(0)
    expect(terminal.lastLine).toBe('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.')
    const written = estate.api.requests.filter((request) => request.startsWith('PATCH'))
    expect(written).toEqual([
      'PATCH /apis/hykube.io/v1alpha1/providers/sim',
      'PATCH /apis/sim.hykube.io/v1/namespaces/default/sim-networks/main',
    ])
    const plan = [...estate.api.store.all()].find(({ place }) => place.resource === 'plans')
    expect(plan?.object.spec).toEqual({ targets: ['provider["sim"].sim_network.main'] })
  })

  test('asks, and anything but yes keeps the plan', async () => {
    const { code, stdout, stderr, estate } = await call(['apply', '-f', file], { changes: [created], answers: ['y'] })
    expect(code).toBe(1)
    expect(stdout).toContain("Only 'yes' will be accepted to approve.")
    expect(stderr).toContain('Apply canceled.')
    expect(estate.calls.some((each) => each.includes('approval'))).toBe(false)
  })

  test('a yes is an approval', async () => {
    const { code, estate } = await call('apply', { changes: [created], answers: ['yes'] })
    expect(code).toBe(0)
    expect(estate.calls.find((each) => each.includes('approval'))).toMatch(/^PUT .*\{"decision":"Approved"\}$/)
  })

  test('without anybody to ask it says how to go on', async () => {
    const { code, stderr } = await call('apply', { changes: [created] })
    expect(code).toBe(1)
    expect(stderr).toContain('--auto-approve')
  })

  test('nothing to do is complete too', async () => {
    const { code, stdout } = await call('apply --auto-approve')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        'Drift was not checked (--refresh=all checks everything).\n\nNo changes.\n\nApply complete! Resources: 0 added, 0 changed, 0 destroyed.\n',
    })
  })

  test('a plan that was used is refused', async () => {
    const estate = new FakeEstate({ changes: [created] })
    await call('plan --out friday', {}, estate)
    expect((await call('apply friday', {}, estate)).code).toBe(0)
    const { code, stderr } = await call('apply friday', {}, estate)
    expect(code).toBe(1)
    expect(stderr.split('\n')[0]).toBe('hykube: plan "friday" was already applied')
  })

  test('prints failed changes and ends with 1', async () => {
    const failed: PlanChange = {
      ...created,
      outcome: {
        result: 'failed',
        at: '2026-01-01T00:00:00Z',
        diagnostics: [{ severity: 'error', summary: 'Quota exceeded', detail: 'No networks left.' }],
      },
    }
    const { code, stderr } = await call('apply --auto-approve', {
      changes: [failed],
      applying: [
        { phase: 'Applying', progress: { total: 1, done: 0, failed: 1, running: [] } },
        { phase: 'PartiallyApplied', summary: { create: 1 }, outcome: { added: 0, changed: 0, destroyed: 0 } },
      ],
    })
    expect(code).toBe(1)
    expect(stderr).toContain('sim_network.main: failed: Quota exceeded: No networks left.')
    expect(stderr).toContain(
      'Apply incomplete: some changes were not applied. Resources: 0 added, 0 changed, 0 destroyed.',
    )
  })

  test('Ctrl-C once cancels gently', async () => {
    const estate = new FakeEstate({
      changes: [created],
      applying: [{ phase: 'Applying', progress: { total: 9, done: 1, failed: 0, running: [] } }],
    })
    const terminal = new FakeTerminal()
    const done = run(['apply', '--auto-approve'], { host: fakeHost(terminal, estate) })
    await until(() => estate.calls.some((each) => each.includes('approval')) && terminal.isInterruptible)
    terminal.interrupt()
    expect(await done).toBe(1)
    expect(estate.calls.at(-2)).toMatch(/^PUT .*\/cancel/)
    expect(terminal.stderr).toContain('Canceling: running changes are finished')
    expect(terminal.stderr).toContain('Apply canceled.')
  })

  test('Ctrl-C twice says how to follow it later', async () => {
    const estate = new FakeEstate({
      changes: [created],
      applying: [{ phase: 'Applying', progress: { total: 9, done: 1, failed: 0, running: [] } }],
    })
    const terminal = new FakeTerminal()
    const done = run(['apply', '--auto-approve', '--out', 'friday'], { host: fakeHost(terminal, estate) })
    await until(() => estate.calls.some((each) => each.includes('approval')) && terminal.isInterruptible)
    terminal.interrupt()
    terminal.interrupt()
    expect(await done).toBe(1)
    expect(terminal.stderr).toContain('Follow it again:  hykube apply friday\n')
  })
})

describe('a suggested command', () => {
  const namespaced = { group: 'sim.hykube.io', version: 'v1', resource: 'sim-networks', namespace: 'shop' }

  test('has the namespace when there are no plans', async () => {
    expect((await call('history -n shop')).stderr).toContain('Make one:  hykube plan -n shop\n')
  })

  test('has the namespace when the plan was deleted', async () => {
    const estate = new FakeEstate({ changes: [created], applying: [{ phase: 'Applying' }] })
    const terminal = new FakeTerminal()
    const done = run(['apply', '-n', 'shop', '--auto-approve', '--out', 'p'], { host: fakeHost(terminal, estate) })
    const phases = () => [...estate.api.store.all()].map(({ object }) => (object.status as { phase?: string })?.phase)
    await until(() => phases().includes('Applying'))
    await estate
      .connection()
      .client.delete({ group: 'hykube.io', version: 'v1alpha1', resource: 'plans', namespace: 'shop', name: 'p' })
    expect(await done).toBe(1)
    expect(terminal.stderr).toContain('Make another one:  hykube plan -n shop\n')
  })

  test('has the namespace for an object that is marked for deletion', async () => {
    const estate = new FakeEstate()
    const { client } = estate.connection()
    const metadata = { name: 'main', finalizers: ['hykube.io/managed'] }
    await client.create(namespaced, { apiVersion: 'sim.hykube.io/v1', kind: 'SimNetwork', metadata, spec: {} })
    await client.delete({ ...namespaced, name: 'main' })
    const { stdout } = await call('show sim_network.main -n shop', {}, estate)
    expect(stdout).toContain('To undo this:  hykube undelete sim_network.main -n shop\n')
  })
})

describe('the program', () => {
  test.each([
    ['plna', 64, 'Did you mean plan'],
    ['apply --bogus', 64, "unknown option '--bogus'"],
    ['apply p -f x', 64, 'give the name of a plan, or files and flags for a new plan'],
    ['apply p --target a_b.c', 64, 'a plan is applied as it is'],
    ['apply shop.yaml', 64, 'To apply it:  hykube apply -f shop.yaml'],
    ['apply -o json', 64, '-o json cannot ask for approval'],
    ['plan --destroy --refresh-only', 64, 'cannot combine --destroy and --refresh-only'],
    ['plan --destroy --replace a_b.c', 64, 'cannot combine --destroy and --replace'],
    ['plan --refresh-only --refresh none', 64, 'cannot combine --refresh-only and --refresh=none'],
    ['destroy --refresh-only', 64, "unknown option '--refresh-only'"],
    ['destroy --destroy', 64, "unknown option '--destroy'"],
    ['drift --destroy', 64, "unknown option '--destroy'"],
    ['drift --refresh none', 64, "unknown option '--refresh'"],
    ['import a_b.c x --target d_e.f', 64, "unknown option '--target'"],
    ['approve p -l a=b', 64, "unknown option '-l'"],
    ['plan -o xml', 64, "argument 'xml' is invalid"],
    ['show', 64, "missing required argument 'address|plan'"],
    ['graph 1+1', 64, 'is not an address'],
    ['completion tcsh', 64, 'choose bash, zsh or fish'],
    ['resolve sim_network.main', 64, 'choose one of --adopt ID, --retry and --forget'],
    ['show sim_netwrk.main', 1, 'Did you mean sim_network?'],
    ['apply nowhere', 1, 'List the plans of all namespaces:  hykube history -A'],
  ])('%s ends with %i and says why', async (words, code, message) => {
    const result = await call(words)
    expect(result.code).toBe(code)
    expect(result.stderr).toContain(message)
  })

  test.each([
    'plan',
    'apply',
    'destroy',
    'approve',
    'reject',
    'cancel',
    'drift',
    'history',
    'show',
    'graph',
    'instances',
    'import',
    'resolve',
    'undelete',
    'doctor',
    'version',
    'serve',
    'completion',
    'providers',
    'providers install',
    'providers types',
  ])('%s has help with an example', async (name) => {
    const { code, stdout } = await call(`${name} --help`)
    expect(code).toBe(0)
    expect(stdout).toMatch(/Examples?:\n {2}/)
  })

  test.each([80, 160])('its help fits into %i columns', async (columns) => {
    const { stdout } = await call('--help', { columns })
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns)
    expect(stdout.match(/^(Server|Work|Look|Adopt|Operate):$/gm)).toHaveLength(5)
  })
})

describe('looking', () => {
  async function estate(): Promise<FakeEstate> {
    const fake = new FakeEstate({ changes: [created] })
    const { client } = fake.connection()
    const write = (resource: string, kind: string, name: string, spec: object) =>
      client.create(
        { group: 'sim.hykube.io', version: 'v1', resource, namespace: 'default' },
        { apiVersion: 'sim.hykube.io/v1', kind, metadata: { name }, spec },
      )
    await write('sim-networks', 'SimNetwork', 'main', { name: 'main', cidr: '10.0.0.0/16' })
    await write('sim-subnets', 'SimSubnet', 'a', { network_id: '${sim_network.main.id}' })
    await write('sim-instances', 'SimInstance', 'web', {
      count: 2,
      subnet_id: '${sim_subnet.a.id}',
      depends_on: ['sim_network.main'],
    })
    return fake
  }

  test('graph shows what refers to what', async () => {
    const { stdout } = await call('graph', {}, await estate())
    expect(stdout).toBe(`○ sim_instance.web
├─ ○ sim_network.main
└─ ○ sim_subnet.a
   └─ ○ sim_network.main
`)
  })

  test.each(['dot', 'mermaid', 'svg'])('graph -o %s has every resource', async (format) => {
    const { stdout } = await call(`graph -o ${format}`, {}, await estate())
    for (const id of ['sim_instance.web', 'sim_network.main', 'sim_subnet.a']) expect(stdout).toContain(id)
  })

  test('graph shows the neighbourhood of an address', async () => {
    const { stdout } = await call('graph sim_subnet.a --depth 0', {}, await estate())
    expect(stdout).toBe('○ sim_subnet.a\n')
  })

  test('instances, undelete and resolve ask the subresources', async () => {
    const fake = await estate()
    const { stdout } = await call('instances sim_instance.web', {}, fake)
    expect(stdout).toContain('sim_instance.web[1]')
    await call('undelete sim_network.main', {}, fake)
    await call('resolve sim_instance.web[1] --adopt i-7', {}, fake)
    expect(fake.calls.slice(-2)).toEqual([
      'POST /apis/sim.hykube.io/v1/namespaces/default/sim-networks/main/undelete {}',
      'POST /apis/sim.hykube.io/v1/namespaces/default/sim-instances/web/resolve {"decision":"Adopt","id":"i-7","instance":1}',
    ])
  })

  test('import marks the object and applies it', async () => {
    const fake = await estate()
    const { code } = await call('import sim_network.main net-1 --auto-approve', {}, fake)
    expect(code).toBe(0)
    const place = {
      cluster: 'root',
      group: 'sim.hykube.io',
      resource: 'sim-networks',
      namespace: 'default',
      name: 'main',
    }
    expect(fake.api.store.get(place).metadata.annotations).toEqual({ 'hykube.io/import-id': 'net-1' })
  })

  test('history lists plans with who approved them', async () => {
    const fake = await estate()
    await call('plan --out friday', {}, fake)
    const approval = { decision: 'Approved', by: 'ann', at: '2026-01-01T00:00:00Z' } as const
    fake.setStatus('friday', { phase: 'Applied', summary: { create: 3 }, approval }, { 'hykube.io/author': 'bob' })
    const { stdout } = await call('history', {}, fake)
    expect(stdout.split('\n')[1]).toMatch(/^friday\s+Normal\s+Applied\s+\+3 ~0 ±0 -0\s+bob\s+ann/)
  })

  test('approve and reject decide', async () => {
    const fake = await estate()
    await call('plan --out friday', {}, fake)
    expect((await call(['reject', 'friday', '-m', 'not now'], {}, fake)).stdout).toBe('Plan "friday" is rejected.\n')
    expect(fake.calls.at(-1)).toContain('{"decision":"Rejected","message":"not now"}')
    const place = { cluster: 'root', group: 'hykube.io', resource: 'plans', namespace: 'default', name: 'friday' }
    await until(() => (fake.api.store.get(place).status as { phase: string }).phase === 'Rejected')
    const again = await call('approve friday', {}, fake)
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('was already rejected')
  })

  test('completion knows commands, flags, plans and addresses', async () => {
    const fake = await estate()
    await call('plan --out friday', {}, fake)
    const words = async (...typed: string[]) =>
      (await call(['__complete', ...typed], {}, fake)).stdout.split('\n').map((line) => line.split('\t')[0])
    expect(await words('ap')).toEqual(['apply', 'approve', ':4', ''])
    expect(await words('plan', '--refr')).toEqual(['--refresh', '--refresh-only', ':4', ''])
    expect(await words('plan', '--refresh', '')).toEqual(['none', 'changed', 'all', ':4', ''])
    expect(await words('apply', 'f')).toEqual(['friday', ':4', ''])
    expect(await words('apply', '-f', '')).toEqual([':0', ''])
    expect(await words('show', 'sim_n')).toEqual(['sim_network.main', ':4', ''])
    expect(await words('plan', '--target', 'sim_s')).toEqual(['sim_subnet.a', ':4', ''])
    expect(await words('providers', 'u')).toEqual(['upgrade', ':4', ''])
  })
})

async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2000 && !condition(); turn++) await new Promise((resolve) => setTimeout(resolve, 0))
}

describe('values of others', () => {
  const evil = '\u001B]0;owned\u0007\u202Eevil\u009B2J\r'
  const change: PlanChange = {
    ...created,
    address: `sim_network.${evil}`,
    message: evil,
    diagnostics: [{ severity: 'error', summary: evil, detail: `${evil}\n${evil}` }],
    change: { before: null, after: { name: evil, cidr: `one${evil}\ntwo${evil}\n` }, after_unknown: {} },
  } as PlanChange

  test.each(['plan', 'plan -o json', 'plan -o yaml', 'show', 'history', 'get', 'apply --auto-approve'])(
    'reach no terminal raw: %s',
    async (words) => {
      const planned = { phase: 'Planned', message: evil, summary: { create: 1 } } as FakeEstateOptions['planned']
      for (const color of [false, true]) {
        const { stdout, stderr } = await call(words, { changes: [change], color, ...(planned && { planned }) })
        const shown = (stdout + stderr).replace(/\u001B\[(1|22|31|32|33|36|39|90)m/g, '')
        expect(shown).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u)
      }
    },
  )

  test('in the names of files neither', async () => {
    const { stderr, code } = await call(['import-state', `no-such-${evil}.tfstate`])
    expect(code).toBe(1)
    expect(stderr).toContain('\\u202e')
    expect(stderr).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u)
  })
})

describe('hints', () => {
  const spec = (words: string, options: FakeEstateOptions = {}) => call(words, { changes: [created], ...options })
  const failed = { applying: [{ phase: 'Failed' as const, message: 'quota' }] }

  test('name the namespace when it is not that of the kubeconfig', async () => {
    expect((await spec('plan --out p -n team')).stdout).toContain('hykube apply p -n team')
    expect((await spec('plan --out p')).stdout).toMatch(/hykube apply p$/m)
    const { stderr } = await spec('apply --auto-approve --out p -n team', failed)
    expect(stderr).toContain('Show every change:  hykube show p -n team')
    expect(stderr).toContain('Plan the rest:  hykube plan -n team')
  })

  test('go on with a destroy that failed, with the same selection', async () => {
    const { stderr } = await spec('destroy --auto-approve -n team -l a=b --target sim_network.main', failed)
    expect(stderr).toContain('Destroy failed.')
    expect(stderr).toContain('Destroy the rest:  hykube destroy -n team -l a=b --target sim_network.main')
  })
})

test('errors of a provider name the field', async () => {
  const diagnostics = [{ severity: 'error' as const, summary: 'Too large', detail: 'why', field: 'spec.size' }]
  const change = { ...created, action: 'blocked' as const, diagnostics }
  expect((await call('plan', { changes: [change] })).stdout).toContain('Error: Too large (spec.size)')
  const outcome = { result: 'failed' as const, at: '2026-01-01T00:00:00Z', diagnostics }
  const applying = [{ phase: 'Failed' as const, progress: { failed: 1 } }] as FakeEstateOptions['applying'] & object
  const { stderr } = await call('apply --auto-approve', { changes: [{ ...created, outcome }], applying })
  expect(stderr).toContain('sim_network.main: failed: Too large (spec.size): why')
})

test('show prints one instance of many', async () => {
  const estate = new FakeEstate()
  const object = { apiVersion: 'sim.hykube.io/v1', kind: 'SimInstance', metadata: { name: 'web' }, spec: { count: 2 } }
  await estate
    .connection()
    .client.create({ group: 'sim.hykube.io', version: 'v1', resource: 'sim-instances', namespace: 'default' }, object)
  const { code, stdout, stderr } = await call(['show', 'sim_instance.web[1]'], {}, estate)
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('# sim_instance.web[1]')
  expect(stdout).toMatch(/id += "i-1"/)
})

describe('apply -o json', () => {
  const types = (stdout: string) =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type)
  const recent = [
    { address: 'sim_network.main', action: 'create', result: 'applied', seconds: 3, id: 'net-1' },
  ] as const
  const applying: FakeEstateOptions['applying'] = [
    { phase: 'Applying', progress: { total: 1, done: 1, failed: 0, running: [], ended: 1, recent } },
    { phase: 'Applied', summary: { create: 1 }, outcome: { added: 1, changed: 0, destroyed: 0 } },
  ]

  test('prints one JSON object per line, as terraform apply -json does', async () => {
    const { code, stdout } = await call('apply -o json --auto-approve', { changes: [created], applying })
    expect(code).toBe(0)
    expect(types(stdout)).toEqual([
      'planned_change',
      'change_summary',
      'apply_start',
      'apply_complete',
      'change_summary',
    ])
    expect(JSON.parse(stdout.split('\n')[3]!)).toMatchObject({
      '@message': 'sim_network.main: Creation complete after 3s [id=net-1]',
      hook: { resource: { addr: 'sim_network.main' }, action: 'create', id_value: 'net-1', elapsed_seconds: 3 },
    })
  })

  test('prints failures as diagnostics', async () => {
    const outcome = { result: 'failed' as const, at: '2026-01-01T00:00:00Z', message: 'quota' }
    const failed = { applying: [{ phase: 'Failed' as const, message: 'quota' }], changes: [{ ...created, outcome }] }
    const { code, stdout } = await call('destroy -o json --auto-approve', failed)
    expect(code).toBe(1)
    expect(types(stdout)).toEqual(['planned_change', 'change_summary', 'diagnostic'])
  })

  test('without it, every step is a line of its own', async () => {
    const { stdout } = await call('apply --auto-approve', { changes: [created], applying })
    expect(stdout).toContain(
      'sim_network.main: Creating...\nsim_network.main: Creation complete after 3s [id=net-1]\n\nApply complete!',
    )
  })
})

test('--version prints the version', async () => {
  expect(await call('--version')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^hykube \d+\.\d+\.\d+\n$/) })
})

test("flags may be written with one dash, as Terraform's are", async () => {
  const { estate } = await call(['plan', '-out=friday', '-target', 'a_b.c', '-refresh=all', '-nteam'])
  const [plan] = [...estate.api.store.all()]
  expect(plan?.place).toMatchObject({ name: 'friday', namespace: 'team' })
  expect(plan?.object.spec).toEqual({ targets: ['a_b.c'], refresh: 'All' })
})

test.each(['friday', 'plan/friday', 'plans/friday', 'plan.hykube.io/friday'])('plans are found as %s', async (name) => {
  const estate = new FakeEstate({ changes: [created] })
  await call('plan --out friday -o name', {}, estate)
  expect((await call(['show', name, '-o', 'name'], {}, estate)).stdout).toBe('plan.hykube.io/friday\n')
  expect((await call(['approve', name], {}, estate)).stdout).toContain('Plan "friday" is approved')
})

test('show prints the same document as json and yaml', async () => {
  const estate = new FakeEstate({ changes: [created] })
  await call('plan --out friday', {}, estate)
  const [json, yaml] = await Promise.all(['json', 'yaml'].map((format) => call(`show friday -o ${format}`, {}, estate)))
  const { parse } = await import('yaml')
  expect(parse(yaml!.stdout)).toEqual(JSON.parse(json!.stdout))
})

test('history is ordered by creation within one second', async () => {
  const estate = new FakeEstate({ changes: [created] })
  for (const name of ['b', 'a']) await call(`plan --out ${name}`, {}, estate)
  estate.setStatus('b', { phase: 'Planned', planned: { at: '', revision: 1 } })
  estate.setStatus('a', { phase: 'Planned', planned: { at: '', revision: 2 } })
  expect((await call('history -o name', {}, estate)).stdout).toBe('plan.hykube.io/b\nplan.hykube.io/a\n')
})

test('doctor does not take a missing permission for a problem', async () => {
  const estate = new FakeEstate()
  const forbidden = new Set(['/readyz/store', '/readyz/watch', '/diagnosis'])
  const connection = estate.connection()
  const { Client } = await import('@hykube/runtime/client')
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Forbidden', code: 403, message: 'no' }
  const client = new Client({
    transport: async (request) =>
      forbidden.has(request.path)
        ? { status: 403, headers: {}, body: [new TextEncoder().encode(JSON.stringify(status))] as never }
        : estate.transport(request),
  })
  const terminal = new FakeTerminal()
  const host = { ...fakeHost(terminal, estate), connect: async () => ({ ...connection, client }) }
  await run(['doctor'], { host })
  expect(terminal.stdout).toContain('! store        not checked: you may not read it')
  expect(terminal.stdout).not.toContain('restart')
})

describe('sync', () => {
  /** A policy of the namespace and one of the cluster, and an object. */
  async function estateWithPolicies(lifecycle: object = {}) {
    const estate = new FakeEstate()
    const { client } = estate.connection()
    const at = { group: 'hykube.io', version: 'v1alpha1' }
    const create = (place: Parameters<typeof client.create>[0], kind: string, name: string, more: object) =>
      client.create(place, {
        apiVersion: `${place.group}/${place.version}`.replace(/^\//, ''),
        kind,
        metadata: { name },
        ...more,
      })
    const own = { ...at, resource: 'syncpolicies', namespace: 'default' }
    await create(own, 'SyncPolicy', 'web', { spec: { mode: 'Detect', selector: { matchLabels: { team: 'web' } } } })
    const ofCluster = { ...at, resource: 'clustersyncpolicies' }
    await create(ofCluster, 'ClusterSyncPolicy', 'all', { spec: { mode: 'Propose' } })
    await create({ group: '', version: 'v1', resource: 'namespaces' }, 'Namespace', 'default', {})
    const networks = { group: 'sim.hykube.io', version: 'v1', resource: 'sim-networks', namespace: 'default' }
    const metadata = { name: 'main', labels: { team: 'web' } }
    await create(networks, 'SimNetwork', 'main', { metadata, spec: { lifecycle } })
    return estate
  }

  test('suspend and resume change spec.suspend, and status shows it', async () => {
    const estate = await estateWithPolicies()
    expect((await call('sync suspend web', {}, estate)).stdout).toContain('suspended')
    expect((await call('sync status', {}, estate)).stdout).toMatch(/web +Detect .*Suspended/)
    expect((await call('sync resume web', {}, estate)).stdout).toContain('resumed')
    expect((await call('sync status', {}, estate)).stdout).not.toContain('Suspended')
    await call('sync suspend all --cluster', {}, estate)
    expect((await call('sync status', {}, estate)).stdout).toMatch(/all +Propose .*Suspended/)
  })

  test('status of an object shows the mode that holds and why', async () => {
    const estate = await estateWithPolicies()
    expect((await call('sync status sim_network.main', {}, estate)).stdout).toBe(
      'sim_network.main: Detect by SyncPolicy "web", because it comes first.\n  ClusterSyncPolicy "all" matches too, but does not hold.\n',
    )
    const own = await estateWithPolicies({ sync: 'Manual' })
    expect((await call('sync status sim_network.main', {}, own)).stdout).toContain(
      'sim_network.main: Manual, because its spec sets lifecycle.sync.',
    )
  })
})

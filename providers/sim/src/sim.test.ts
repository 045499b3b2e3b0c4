import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectExtensions } from '@hykube/tfplugin/protocol'
import { Decimal, equalValues, pathToText, unknown, type ValueObject, valueObject } from '@hykube/tfplugin/value'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { kept, SimHost } from './testing/sim-host.ts'

const machine = { subnet_id: 'subnet-1', image: 'ubuntu' }

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'sim-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

async function startSim(config: object): Promise<SimHost> {
  const host = await SimHost.start(config)
  onTestFinished(async () => {
    await host.plugin.kill()
  })
  return host
}

describe.each(['directory', 'sqlite'] as const)('a world in a %s', (form) => {
  let directory: string
  let sim: SimHost

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'sim-test-'))
    sim = await SimHost.start({ world: form === 'sqlite' ? `sqlite:${join(directory, 'w.db')}` : directory })
  })
  afterAll(async () => {
    await sim.plugin.kill()
    rmSync(directory, { recursive: true, force: true })
  })

  test('creates, reads, updates in place and deletes objects', async () => {
    const planned = await sim.plan('sim_instance', { ...machine, tags: { a: 'b' } })
    expect(planned.plannedState).toMatchObject({ id: unknown, private_ip: unknown, size: 'small', tags: { a: 'b' } })
    const made = await sim.apply('sim_instance', { ...machine, tags: { a: 'b' } })
    expect(made.state.private_ip).toMatch(/^10\.\d+\.\d+\.\d+$/)
    expect(equalValues(await sim.read('sim_instance', made), made.state)).toBe(true)

    const nothing = await sim.plan('sim_instance', { ...machine, tags: { a: 'b' } }, made)
    expect(equalValues(nothing.plannedState!, made.state)).toBe(true)
    expect(nothing.plannedPrivate).toEqual(made.private)

    const larger = await sim.plan('sim_instance', { ...machine, size: 'large' }, made)
    expect(larger.requiresReplace).toEqual([])
    expect(larger.plannedState).toMatchObject({ id: made.state.id, private_ip: made.state.private_ip, size: 'large' })
    const changed = await sim.apply('sim_instance', { ...machine, size: 'large' }, made)
    expect(changed.state).toMatchObject({ size: 'large', tags: null })
    expect(equalValues(await sim.read('sim_instance', changed), changed.state)).toBe(true)

    expect(await sim.delete('sim_instance', changed)).toMatchObject({ newState: null, diagnostics: [] })
    expect(await sim.read('sim_instance', changed)).toBeNull()
    expect(await sim.delete('sim_instance', changed)).toMatchObject({ newState: null, diagnostics: [] })
  })

  test.each([
    ['sim_subnet', { network_id: 'n', cidr: '10.0.0.0/24' }, { network_id: 'n', cidr: '10.0.1.0/24' }, ['cidr']],
    ['sim_subnet', { network_id: 'n', cidr: '10.0.0.0/24' }, { network_id: 'm', cidr: '10.0.0.0/24' }, ['network_id']],
    ['sim_instance', machine, { subnet_id: 'other', image: 'debian' }, ['subnet_id', 'image']],
    ['sim_bucket', { name: 'a' }, { name: 'b' }, ['name']],
    ['sim_null', { triggers: { a: '1' } }, { triggers: { a: '2' } }, ['triggers']],
    ['sim_network', { name: 'a', cidr: '10.0.0.0/8' }, { name: 'b', cidr: '10.0.0.0/9' }, []],
    ['sim_bucket', { name: 'a' }, { name: 'a', rules: [{ prefix: 'x' }], tags: { a: 'b' } }, []],
    ['sim_database', { name: 'a' }, { name: 'a', size: 'large' }, []],
  ])('a change of %s from %j to %j requires replacement for %j', async (type, first, second, paths) => {
    const made = await sim.apply(type, first)
    const planned = await sim.plan(type, second, made)
    expect(planned.requiresReplace.map(pathToText)).toEqual(paths)
    if (paths.length === 0) expect((await sim.apply(type, second, made)).state.id).toBe(made.state.id)
  })

  test('a repeated apply returns the same object and creates only one', async () => {
    const given = { name: 'net', cidr: '10.0.0.0/16' }
    const planned = await sim.plan('sim_network', given)
    const request = sim.applyRequest('sim_network', given, planned)
    const first = kept(await sim.client.applyResourceChange(request))
    const second = kept(await sim.client.applyResourceChange(request))
    expect(second).toEqual(first)
    const other = await sim.apply('sim_network', given)
    expect(other.state.id).not.toBe(first.state.id)
  })

  test('imports objects by id', async () => {
    const made = await sim.apply('sim_bucket', {
      name: 'import',
      rules: [{ prefix: 'a' }, { prefix: 'b', after_days: 3 }],
    })
    const id = made.state.id as string
    const { importedResources } = await sim.client.importResourceState({ typeName: 'sim_bucket', id })
    const { state, private: bytes } = importedResources[0]!
    expect(await sim.read('sim_bucket', { state: state as ValueObject, private: bytes })).toEqual(made.state)
  })

  test('lists objects with their identities', async () => {
    const made = await sim.apply('sim_null', { triggers: { list: 'me' } })
    const request = { typeName: 'sim_null', config: valueObject({}), includeResourceObject: true, limit: 0 }
    const listed = await Array.fromAsync(sim.client.listResource(request))
    expect(listed.map(({ resourceObject }) => resourceObject)).toContainEqual(made.state)
    expect(listed.map(({ identity }) => identity)).toContainEqual(valueObject({ id: made.state.id! }))
  })

  test('plans, applies and reads many objects in one call each', async () => {
    const many = (await connectExtensions(sim.plugin.grpc, sim.client))!
    expect(many.extensions.get('sim_instance')).toEqual({
      idempotentApply: true,
      readMany: true,
      planMany: true,
      applyMany: true,
      validateMany: true,
      deterministicPlan: true,
    })
    const given = Array.from({ length: 200 }, (_, i) => ({ ...machine, tags: { number: String(i) } }))
    const plans = await many.planMany(given.map((one) => sim.planRequest('sim_instance', one)))
    const requests = plans.map((plan, i) => {
      if (plan.kind === 'failed') throw new Error(plan.reason)
      return sim.applyRequest('sim_instance', given[i]!, plan.answer)
    })
    const applied = await many.applyMany(requests)
    const made = applied.map((outcome) => {
      if (outcome.kind === 'failed') throw new Error(outcome.reason)
      return kept(outcome.answer)
    })
    const gone = { typeName: 'sim_instance', currentState: valueObject({ ...made[0]!.state, id: 'i-none' }) }
    const reads = made.map(({ state }) => ({ typeName: 'sim_instance', currentState: state }))
    const read = await many.readMany([...reads, gone])
    const states = read.map((outcome) => (outcome.kind === 'answered' ? outcome.answer.newState : outcome.reason))
    expect(states).toEqual([...made.map(({ state }) => state), null])
  })
})

test('editing a file causes drift', async () => {
  const world = temporaryDirectory()
  const sim = await startSim({ world })
  const made = await sim.apply('sim_network', { name: 'a', cidr: '10.0.0.0/16' })
  const file = join(world, 'sim_network', `${made.state.id}.json`)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ id: made.state.id, name: 'a', cidr: '10.0.0.0/16' })
  writeFileSync(file, JSON.stringify({ name: 'edited', cidr: '10.0.0.0/16', note: 'by hand' }))
  expect(await sim.read('sim_network', made)).toMatchObject({ id: made.state.id, name: 'edited' })
  writeFileSync(file, '{"name": 1}')
  await expect(sim.read('sim_network', made)).rejects.toThrow('Cannot read sim_network')
  writeFileSync(file, 'no JSON')
  await expect(sim.read('sim_network', made)).rejects.toThrow('correct or delete it')
  rmSync(file)
  expect(await sim.read('sim_network', made)).toBeNull()
})

test('a private address is in the range of the subnet', async () => {
  const sim = await startSim({ world: temporaryDirectory() })
  const subnet = await sim.apply('sim_subnet', { network_id: 'n', cidr: '192.168.7.0/28' })
  const made = await sim.apply('sim_instance', { subnet_id: subnet.state.id, image: 'i' })
  const last = Number(/^192\.168\.7\.(\d+)$/.exec(made.state.private_ip as string)?.[1])
  expect(last).toBeGreaterThanOrEqual(4)
  expect(last).toBeLessThan(15)
})

test('a password is sensitive; a secret is not in the state and is sent again with a new version', async () => {
  const world = temporaryDirectory()
  const sim = await startSim({ world })
  const { resources } = await sim.client.schema()
  const password = resources.get('sim_database')!.block.attributes.find(({ name }) => name === 'password')
  expect(password).toMatchObject({ computed: true, optional: false, sensitive: true })
  expect((await sim.apply('sim_database', { name: 'd' })).state.password).toMatch(/^.{24}$/)

  const made = await sim.apply('sim_secret', { name: 's', value: 'one', value_version: 1 })
  expect(made.state).toMatchObject({ value: null, value_version: Decimal.fromInteger(1) })
  const stored = () => JSON.parse(readFileSync(join(world, 'sim_secret', `${made.state.id}.json`), 'utf8')).value
  expect(stored()).toBe('one')
  const unseen = await sim.plan('sim_secret', { name: 's', value: 'two', value_version: 1 }, made)
  expect(equalValues(unseen.plannedState!, made.state)).toBe(true)
  await sim.apply('sim_secret', { name: 's', value: 'two', value_version: 2 }, made)
  expect(stored()).toBe('two')
})

test('the seed determines which calls fail', async () => {
  const outcomes = async (seed: number) => {
    const sim = await startSim({ world: temporaryDirectory(), failure_rate: 0.5, seed })
    const names = Array.from({ length: 24 }, (_, i) => `n${i}`)
    // Sent concurrently: the order of arrival must not matter.
    const made = await Promise.allSettled(names.map((name) => sim.apply('sim_network', { name, cidr: '10.0.0.0/8' })))
    return made.map(({ status }) => (status === 'fulfilled' ? '+' : '-')).join('')
  }
  const [first, again, other] = [await outcomes(1), await outcomes(1), await outcomes(2)]
  expect(first).toMatch(/\+/)
  expect(first).toMatch(/-/)
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})

test('crashes after the configured number of changes, and a retry of the plan finds the stored object', async () => {
  const world = temporaryDirectory()
  const sim = await startSim({ world, crash_after: 2 })
  await sim.apply('sim_null', { triggers: { a: '1' } })
  const planned = await sim.plan('sim_null', { triggers: { a: '2' } })
  const request = sim.applyRequest('sim_null', { triggers: { a: '2' } }, planned)
  await expect(sim.client.applyResourceChange(request)).rejects.toThrow()
  expect(await sim.plugin.exited).toMatchObject({ signal: 'SIGKILL' })
  expect(readdirSync(join(world, 'sim_null'))).toHaveLength(2)
  const next = await startSim({ world })
  const made = kept(await next.client.applyResourceChange(request))
  expect(readdirSync(join(world, 'sim_null'))).toHaveLength(2)
  expect(made.state.triggers).toEqual(valueObject({ a: '2' }))
})

test('stopping the provider aborts calls in progress', async () => {
  const sim = await startSim({ world: temporaryDirectory(), latency_ms: 600_000 })
  const request = { typeName: 'sim_null', currentState: valueObject({ id: 'null-1', triggers: null }) }
  const reading = sim.client.readResource(request)
  await sim.client.stopProvider()
  expect((await reading).diagnostics).toMatchObject([{ severity: 'error', summary: 'Cannot read sim_null' }])
})

test('exits when its host shuts it down', async () => {
  const sim = await startSim({ world: temporaryDirectory() })
  expect(await sim.plugin.isHealthy()).toBe(true)
  expect(await sim.plugin.stop()).toMatchObject({ code: 0, signal: null })
})

test.each([
  ['sim_network', { name: 'a', cidr: '10.0.0/16' }, 'cidr'],
  ['sim_instance', { ...machine, size: 'huge' }, 'size'],
  ['sim_bucket', { name: 'a', rules: [{ prefix: 'a' }, { prefix: 'b', action: 'burn' }] }, 'rules[1].action'],
])('%s with %j is rejected for %s', async (typeName, given, path) => {
  const sim = await startSim({ world: temporaryDirectory() })
  const { diagnostics } = await sim.client.validateResourceConfig({ typeName, config: sim.config(typeName, given) })
  expect(diagnostics).toMatchObject([{ severity: 'error', path }])
})

test('reads data sources', async () => {
  const sim = await startSim({ world: temporaryDirectory() })
  const nothing = { id: null, architecture: null, size_gb: null }
  const image = valueObject({ ...nothing, name: 'ubuntu' })
  expect((await sim.client.readDataSource({ typeName: 'sim_image', config: image })).state).toMatchObject({
    id: 'img-ubuntu-x86_64',
  })
  const region = (name: string | null) =>
    sim.client.readDataSource({ typeName: 'sim_region', config: valueObject({ id: null, zones: null, name }) })
  expect((await region(null)).state).toMatchObject({ id: 'eu-1', zones: ['eu-1a', 'eu-1b', 'eu-1c'] })
  expect((await region('moon')).diagnostics).toMatchObject([{ summary: 'Region not found', path: 'name' }])
})

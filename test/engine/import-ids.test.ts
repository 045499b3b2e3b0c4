import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const spec = { name: 'found', cidr: '10.9.0.0/16' }
const importing = (id: string) => ({ annotations: { 'hykube.io/import-id': id } })
let number = 0

/** Something outside that no object manages. */
function found(s: Scenario): string {
  const id = `net-found-${++number}`
  s.world.write('sim_network', id, spec)
  return id
}

describe('an id that is imported', () => {
  test('is refused when another object manages it, which is named', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.a', spec)
    await s.apply()
    const { id } = await s.attributes('sim_network.a')
    const answer = await s.tryWrite('sim_network.b', spec, importing(id))
    expect(answer.status).toBe(409)
    expect(answer.document.message).toContain('sim-networks "a" in namespace "default" already manages it')
    expect(await s.read('sim_network.b')).toBeUndefined()
  })

  test('is refused when its object came to manage it after another id was looked up', async () => {
    const s = await shared.scenario()
    for (const name of ['a', 'b', 'c']) {
      await s.write(`sim_network.${name}`, spec)
      await s.apply()
      const { id } = await s.attributes(`sim_network.${name}`)
      const answer = await s.tryWrite('sim_network.other', spec, importing(id))
      expect(answer.document.message).toContain(`sim-networks "${name}" in namespace "default" already manages it`)
    }
  })

  test('is not named to those who may not read the object', async () => {
    const s = await shared.scenario({
      authorizer: {
        authorize: (asked: { verb?: string; user?: { name: string } }) => ({
          allowed: asked.verb !== 'get' || asked.user?.name !== 'eve',
        }),
      } as never,
    })
    await s.write('sim_network.a', spec)
    await s.apply()
    const { id } = await s.attributes('sim_network.a')
    const answer = await s.tryWrite('sim_network.b', spec, { ...importing(id), user: 'eve' })
    expect(answer.status).toBe(409)
    expect(answer.document.message).toContain('another object already manages it')
    expect(answer.document.message).not.toContain('sim_network.a')
  })

  test('can be asked for by one object only, also at the same time', async () => {
    const s = await shared.scenario()
    const id = found(s)
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => s.tryWrite(`sim_network.${name}`, spec, importing(id))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    const twice = { annotations: { 'hykube.io/import-id': '{"0": "net-x", "1": "net-x"}' } }
    expect((await s.tryWrite('sim_network.e', { ...spec, count: 2 }, twice)).status).toBe(422)
  })

  test('is free again when the object that asked for it is gone, or asks no more', async () => {
    const s = await shared.scenario()
    const id = found(s)
    await s.write('sim_network.a', spec, importing(id))
    await s.delete('sim_network.a')
    await s.write('sim_network.b', spec, importing(id))
    await s.write('sim_network.b', spec, { annotations: {} })
    await s.write('sim_network.c', spec, importing(id))
    expect(await (await s.apply()).lines()).toEqual(['create sim_network.b', 'import sim_network.c'])
  })

  test('is refused with a configuration of another name that is the same but for credentials', async () => {
    const s = await shared.scenario()
    await s.configure({ seed: 1 }, 'west')
    await s.configure({ seed: 1 }, 'same')
    await s.configure({ seed: 2 }, 'other')
    await s.write('sim_network.a', { ...spec, provider: 'west' })
    await s.apply()
    const { id } = await s.attributes('sim_network.a')
    expect((await s.tryWrite('sim_network.b', { ...spec, provider: 'same' }, importing(id))).status).toBe(409)
    expect((await s.tryWrite('sim_network.b', { ...spec, provider: 'other' }, importing(id))).status).toBe(201)
  })

  test.each([
    ['spells out zero, false, null and empty values', { latency_ms: 0, failure_rate: 0, seed: null }],
    ['is empty', {}],
  ])('is refused with a configuration that %s, beside the default one', async (_, config) => {
    const s = await shared.scenario()
    await s.configure(config, 'same')
    await s.configure({ latency_ms: 1 }, 'other')
    await s.write('sim_network.a', spec)
    await s.apply()
    const { id } = await s.attributes('sim_network.a')
    expect((await s.tryWrite('sim_network.b', { ...spec, provider: 'same' }, importing(id))).status).toBe(409)
    expect((await s.tryWrite('sim_network.b', { ...spec, provider: 'other' }, importing(id))).status).toBe(201)
  })

  test('is refused when another object only asks for it with an equal configuration', async () => {
    const s = await shared.scenario()
    const id = found(s)
    await s.configure({}, 'same')
    await s.configure({ seed: 2 }, 'other')
    await s.write('sim_network.a', spec, importing(id))
    const answer = await s.tryWrite('sim_network.b', { ...spec, provider: 'same' }, importing(id))
    expect(answer.status).toBe(409)
    expect(answer.document.message).toContain('sim-networks "a" in namespace "default" already imports it')
    await s.write('sim_network.b', { ...spec, provider: 'other' }, importing(id))
  })

  test('is refused for an object that manages something else', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.a', spec)
    await s.apply()
    const { id } = await s.attributes('sim_network.a')
    const answer = await s.tryWrite('sim_network.a', spec, importing(found(s)))
    expect(answer.status).toBe(409)
    expect(answer.document.message).toContain('it already manages another resource')
    expect((await s.tryWrite('sim_network.a', spec, importing(id))).status).toBe(200)
  })

  test('does not block a plan after what it named was destroyed', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.a', spec, importing(found(s)))
    await s.apply()
    await s.apply({ mode: 'Destroy' })
    expect(await (await s.plan()).lines()).toEqual(['create sim_network.a'])
    expect((await s.read('sim_network.a')).metadata.annotations ?? {}).not.toHaveProperty('hykube.io/import-id')
  })

  test('can be imported elsewhere once it was forgotten', async () => {
    const s = await shared.scenario()
    const id = found(s)
    await s.write('sim_network.a', { ...spec, lifecycle: { destroy: false } }, importing(id))
    await s.apply()
    expect((await s.tryWrite('sim_network.b', spec, importing(id))).status).toBe(409)
    await s.delete('sim_network.a')
    await s.apply()
    expect((await s.tryWrite('sim_network.b', spec, importing(id))).status).toBe(201)
    expect(await (await s.apply()).phase()).toBe('Applied')
  })

  test('is refused when the plan is applied after another object has taken it', async () => {
    const s = await shared.scenario()
    const id = found(s)
    await s.configure({ seed: 1 }, 'west')
    await s.configure({ seed: 2 }, 'same')
    await s.write('sim_network.a', { ...spec, provider: 'west' }, importing(id))
    await s.write('sim_network.b', { ...spec, provider: 'same' }, importing(id))
    await s.configure({ seed: 1 }, 'same')
    const plan = await s.apply()
    const results = (await plan.changes()).map(({ outcome }) => outcome?.result).sort()
    expect(results).toEqual(['applied', 'refused'])
  })

  describe('in a state file', () => {
    async function importing(fields: object, mayNot: readonly string[] = []) {
      const authorize = (asked: { verb?: string }) => ({ allowed: !mayNot.includes(asked.verb ?? '') })
      const s = await shared.scenario({ authorizer: { authorize } as never })
      await s.write('sim_network.a', spec)
      await s.apply()
      const attributes = await s.attributes('sim_network.a')
      const path = '/apis/sim.hykube.io/v1/namespaces/default/sim-networks/b/state'
      const body = { instances: [{ schema_version: 0, attributes }], ...fields }
      const { status, document } = await s.engine.api.post(path, body)
      return { status, message: document.message as string }
    }

    test('is refused when another object manages it, which is named', async () => {
      const { status, message } = await importing({})
      expect(status).toBe(409)
      expect(message).toContain('sim-networks "a" in namespace "default" already manages it')
      expect(message).toContain('--allow-shared-ids')
    })

    test('is not named to those who may not read the object', async () => {
      const { status, message } = await importing({}, ['get'])
      expect(status).toBe(409)
      expect(message).toContain('another object already manages it')
    })

    // Types without a remote object, such as time_offset, have ids that are not unique.
    test.each([{ allowSharedIds: true }, { sharesIdsWith: ['sim_network.a'] }])(
      'is accepted with %j',
      async (fields) => {
        expect(await importing(fields)).toMatchObject({ status: 201 })
      },
    )

    test.each([{ allowSharedIds: true }, { sharesIdsWith: ['sim_network.a'] }])(
      'is refused with %j for a user who may not delete the other object',
      async (fields) => {
        const { status, message } = await importing(fields, ['delete'])
        expect(status).toBe(409)
        expect(message).toContain('you need permission to delete')
      },
    )

    test('is refused when another object than that of the file manages it', async () => {
      expect(await importing({ sharesIdsWith: ['sim_network.c'] })).toMatchObject({ status: 409 })
    })
  })
})

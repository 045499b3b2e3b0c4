import type { Authorizer } from '@hykube/server/auth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failing } from './faults.ts'
import { type MadePlan, type Scenario, SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

/** Everything that anybody can read of a plan, of objects and of what was reported. */
async function everythingShown(s: Scenario, plans: readonly MadePlan[], ...addresses: string[]): Promise<string> {
  const shown: unknown[] = [...s.engine.reports]
  for (const plan of plans) shown.push(await plan.status(), await plan.changes(), await plan.json())
  for (const address of addresses) shown.push(await s.read(address), await s.instances(address))
  shown.push((await s.engine.api.get('/api/v1/namespaces/default/events')).document)
  return JSON.stringify(shown)
}

describe('sensitive values', () => {
  test('of a provider are shown nowhere, and neither is what is made of them', async () => {
    const s = await shared.scenario()
    await s.write('sim_database.db', { name: 'main' })
    await s.write('sim_instance.app', {
      subnet_id: 's',
      image: 'i',
      tags: { dsn: 'pg://u:${sim_database.db.password}@h' },
    })
    const first = await s.apply()
    expect(await first.phase()).toBe('Applied')
    const { id } = await s.attributes('sim_database.db')
    const { password } = s.world.read('sim_database', id) as { password: string }
    const web = await s.attributes('sim_instance.app')
    expect(s.world.read('sim_instance', web.id)).toMatchObject({ tags: { dsn: `pg://u:${password}@h` } })
    await s.write('sim_instance.app', { subnet_id: 's', image: 'i', tags: { dsn: 'x${sim_database.db.password}' } })
    const second = await s.plan()
    expect(await second.lines()).toEqual(['update sim_instance.app'])
    const { change } = await second.change('sim_instance.app')
    expect(change.before_sensitive).toEqual({ tags: { dsn: true } })
    expect(await everythingShown(s, [first, second], 'sim_database.db', 'sim_instance.app')).not.toContain(password)
  })

  test('of a Secret are shown nowhere, and not in what a provider complains of', async () => {
    const s = await shared.scenario()
    await s.keep('secrets', 'creds', { token: 'tops3cret-value' })
    await s.write('sim_instance.app', { subnet_id: 's', image: 'i', size: '${secret["creds"].token}' })
    await s.write('sim_null.n', { triggers: { t: '${secret["creds"].token}' } })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['blocked sim_instance.app', 'create sim_null.n'])
    await plan.apply()
    expect(await everythingShown(s, [plan], 'sim_instance.app', 'sim_null.n')).not.toContain('tops3cret')
  })

  test('write-only values reach the real resource and nothing else', async () => {
    const s = await shared.scenario()
    await s.keep('secrets', 'creds', { token: 'wr1te-only-value' })
    await s.write('sim_secret.s', { name: 'n', value: '${secret["creds"].token}', value_version: 1 })
    const plan = await s.apply()
    expect(await plan.phase()).toBe('Applied')
    const { id } = await s.attributes('sim_secret.s')
    expect(s.world.read('sim_secret', id)).toMatchObject({ value: 'wr1te-only-value' })
    expect(await everythingShown(s, [plan], 'sim_secret.s')).not.toContain('wr1te-only')
    expect(await (await s.plan()).lines()).toEqual([])
    await s.keep('secrets', 'creds', { token: 'other-value' })
    await s.write('sim_secret.s', { name: 'n', value: '${secret["creds"].token}', value_version: 2 })
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(s.world.read('sim_secret', id)).toMatchObject({ value: 'other-value' })
  })

  test('can not be written as they are where they only go in', async () => {
    const s = await shared.scenario()
    const answer = await s.tryWrite('sim_secret.s', { name: 'n', value: 'literal' })
    expect(answer.status).toBe(422)
    expect(answer.document.message).toContain('spec.value')
  })

  test('of a Secret that is rotated plan exactly its users', async () => {
    const s = await shared.scenario()
    await s.keep('secrets', 'creds', { a: '1', b: '1' })
    for (const key of ['a', 'b'])
      await s.write(`sim_instance.${key}`, { subnet_id: 's', image: 'i', tags: { t: `\${secret["creds"].${key}}` } })
    await s.write('sim_network.other', { name: 'n', cidr: '10.0.0.0/16' })
    await s.apply()
    await s.keep('secrets', 'creds', { a: '2', b: '1' })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['update sim_instance.a'])
    // A plan that nobody applies leaves it to be planned.
    expect(await (await s.plan()).lines()).toEqual(['update sim_instance.a'])
    expect(await (await s.plan({ scope: 'All' })).lines()).toEqual(['update sim_instance.a'])
    expect(await (await s.apply()).phase()).toBe('Applied')
    s.engine.providers.calls.length = 0
    expect(await (await s.plan()).lines()).toEqual([])
    expect(s.engine.providers.calls).toEqual([])
  })

  test('block their users while they are missing', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.n', { name: '${secret["late"].name}', cidr: '10.0.0.0/16' })
    expect(await (await s.plan()).lines()).toEqual(['blocked sim_network.n'])
    await s.keep('secrets', 'late', { name: 'here' })
    expect(await (await s.apply()).phase()).toBe('Applied')
  })

  test('do not reach what is said of a failure', async () => {
    const s = await shared.scenario()
    await s.keep('secrets', 'creds', { token: 'f4iling-value' })
    await s.write('sim_null.n', { triggers: { t: '${secret["creds"].token}' } })
    s.engine.providers.intercept = ({ method }) =>
      method === 'applyResourceChange'
        ? Promise.resolve({
            newState: null,
            private: new Uint8Array(0),
            legacyTypeSystem: false,
            diagnostics: [{ severity: 'error', summary: 'no', detail: 'token f4iling-value was refused' }],
          })
        : undefined
    const plan = await s.apply()
    expect(await plan.phase()).toBe('Failed')
    expect(await everythingShown(s, [plan], 'sim_null.n')).not.toContain('f4iling')
    failing(s, () => false)
  })
})

describe('configurations of providers', () => {
  test('plan their users when they change, and a no-op settles it', async () => {
    const s = await shared.scenario()
    await s.configure({ seed: 1 }, 'west')
    await s.write('sim_network.a', { name: 'a', cidr: '10.0.0.0/16', provider: 'west' })
    await s.write('sim_network.b', { name: 'b', cidr: '10.0.0.0/16' })
    await s.apply()
    await s.configure({ seed: 2 }, 'west')
    s.engine.providers.calls.length = 0
    expect(await (await s.plan()).lines()).toEqual([])
    expect(s.engine.providers.calls.filter((call) => call.startsWith('planResource'))).toHaveLength(1)
    s.engine.providers.calls.length = 0
    expect(await (await s.plan()).lines()).toEqual([])
    expect(s.engine.providers.calls).toEqual([])
  })

  test('block their users when they are missing', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.a', { name: 'a', cidr: '10.0.0.0/16', provider: 'west' })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['blocked sim_network.a'])
    expect((await plan.changes())[0]?.message).toContain('west')
    await s.configure({}, 'west')
    expect(await (await s.plan()).lines()).toEqual(['create sim_network.a'])
  })
})

describe('permissions', () => {
  const only = (denied: string): Authorizer =>
    ({
      authorize: ({ user, resource, namespace, subresource }: Record<string, unknown>) => ({
        allowed:
          (user as { name: string }).name !== 'guest' ||
          `${namespace}/${resource}${subresource ? `/${subresource}` : ''}` !== denied,
      }),
    }) as unknown as Authorizer

  test('to refer to an object is that to read it', async () => {
    const s = await shared.scenario({ authorizer: only('other/sim-networks') })
    const spec = { network_id: '${sim_network["other/main"].id}', cidr: '10.0.1.0/24' }
    const answer = await s.tryWrite('sim_subnet.a', spec, { user: 'guest' })
    expect(answer.status).toBe(403)
    expect(answer.document.message).toContain('sim_network["other/main"]')
    expect((await s.tryWrite('sim_subnet.a', spec, { user: 'admin' })).status).toBe(201)
    // An existing reference may be kept by a user who may not write it.
    expect((await s.tryWrite('sim_subnet.a', { ...spec, cidr: '10.0.2.0/24' }, { user: 'guest' })).status).toBe(200)
  })

  test('to refer to what is sensitive is one of its own', async () => {
    const s = await shared.scenario({ authorizer: only('default/sim-databases/sensitive') })
    const spec = (name: string) => ({ subnet_id: 's', image: 'i', tags: { v: `\${sim_database.db.${name}}` } })
    expect((await s.tryWrite('sim_instance.a', spec('endpoint'), { user: 'guest' })).status).toBe(201)
    expect((await s.tryWrite('sim_instance.b', spec('password'), { user: 'guest' })).status).toBe(403)
  })
})

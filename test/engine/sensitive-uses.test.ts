import { readFile } from 'node:fs/promises'
import type { Authorizer } from '@hykube/server/auth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { echoing } from './faults.ts'
import { type Scenario, SharedSim, type Spec } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

/** `guest` may do everything but read what is listed, as `namespace/resource[/subresource]`. */
function without(...denied: string[]): Authorizer {
  return {
    authorize: ({ user, resource, namespace, subresource }: Record<string, unknown>) => ({
      allowed:
        (user as { name: string }).name !== 'guest' ||
        !denied.includes(`${namespace}/${resource}${subresource ? `/${subresource}` : ''}`),
    }),
  } as unknown as Authorizer
}

const guest = { user: 'guest' }
const noDatabases = without('default/sim-databases/sensitive')
const taking = (expression: string): Spec => ({ triggers: { v: `\${${expression}}` } })

/** Every form of access to an attribute `a` of the object `t`, as text. */
const accessForms: Readonly<Record<string, (t: string, a: string) => string>> = {
  select: (t, a) => `${t}.${a}`,
  'select in a text': (t, a) => `"x" + ${t}.${a}`,
  'optional select': (t, a) => `${t}.?${a}.orValue("")`,
  'optional index': (t, a) => `${t}[?"${a}"].orValue("")`,
  'optional index that is computed': (t, a) => `${t}[?"${a.slice(0, 1)}" + "${a.slice(1)}"].orValue("")`,
  'index of a list': (t, a) => `[${t}][0].${a}`,
  'value of a map': (t, a) => `{"k": ${t}}.k.${a}`,
  'computed index': (t, a) => `[${t}][0]["${a.slice(0, 1)}" + "${a.slice(1)}"]`,
  map: (t, a) => `[${t}].map(x, x.${a})[0]`,
  'map with a filter': (t, a) => `[${t}].map(x, true, x.${a})[0]`,
  filter: (t, a) => `[${t}].filter(x, x.${a} != "")[0].${a}`,
  exists: (t, a) => `[${t}].exists(x, x.${a} == "a") ? "yes" : "no"`,
  all: (t, a) => `[${t}].all(x, x.${a}.startsWith("a")) ? "yes" : "no"`,
  'exists one': (t, a) => `[${t}].exists_one(x, x.${a} == "a") ? "yes" : "no"`,
  'list transformed': (t, a) => `[${t}].transformList(i, x, x.${a})[0]`,
  'map transformed': (t, a) => `${t}.transformMap(k, v, k == "${a}", v)["${a}"]`,
  bind: (t, a) => `cel.bind(x, ${t}, x.${a})`,
  conditional: (t, a) => `(true ? ${t} : ${t}).${a}`,
  'a condition': (t, a) => `${t}.${a} == "a" ? "yes" : "no"`,
  presence: (t, a) => `has(${t}.${a}) ? "yes" : "no"`,
  'whole object': (t) => `string(${t} == ${t})`,
  splat: (t, a) => `[${t}][*].${a}[0]`,
}

describe('a user without get on <plural>/sensitive', () => {
  test.each(['sim_database.db', 'sim_database["default/db"]', 'sim_database.many[0]', 'sim_database.many[0 + 1]'])(
    'gets nothing that is made of sensitive values of %s, however it is accessed',
    async (target) => {
      const s = await shared.scenario({ authorizer: noDatabases })
      await s.write('sim_database.db', { name: 'db' })
      await s.write('sim_database.many', { name: 'm', count: 2 })
      await s.apply()
      const { results, accepted } = await tryForms(s, target, ['name', 'password'])
      expect(results['select name']).toBe(201)
      expect(Object.entries(results).filter(([form, status]) => form.endsWith('password') && status < 300)).toEqual([])
      await s.apply()
      for (const address of accepted) {
        const { id } = await s.attributes(address)
        const { triggers } = s.world.read('sim_null', id) as { triggers: { v: string } }
        expect([address, ['db', 'xdb', 'm', 'xm', 'yes', 'no']]).toEqual([
          address,
          expect.arrayContaining([triggers.v]),
        ])
      }
    },
  )

  test('may access optional attributes that are not sensitive', async () => {
    const s = await shared.scenario({ authorizer: noDatabases })
    await s.write('sim_database.db', { name: 'db' })
    expect((await s.tryWrite('sim_null.n', taking('sim_database.db.?name.orValue("")'), guest)).status).toBe(201)
    expect((await s.tryWrite('sim_null.d', { depends_on: ['sim_database.db'] }, guest)).status).toBe(201)
  })

  test('can not refer to what was built from a Secret, by the spec or by the state', async () => {
    const s = await shared.scenario({ authorizer: noDatabases })
    await s.keep('secrets', 'creds', { name: 'pr1vate-name' })
    await s.write('sim_database.db', { name: '${secret["creds"].name}' })
    const bySpec = await s.tryWrite('sim_null.a', taking('sim_database.db.name'), guest)
    expect([bySpec.status, bySpec.document.message]).toEqual([403, expect.stringContaining('sim-databases/sensitive')])
    await s.apply()
    await s.write('sim_database.db', { name: 'plain' })
    expect((await s.tryWrite('sim_null.a', taking('sim_database.db.name'), guest)).status).toBe(403)
    await s.apply()
    expect((await s.tryWrite('sim_null.a', taking('sim_database.db.name'), guest)).status).toBe(201)
  })

  test('gets no value that became sensitive after the reference was written', async () => {
    const s = await shared.scenario({ authorizer: noDatabases })
    await s.write('sim_null.guest', taking('sim_database.db.name'), guest)
    await s.write('sim_null.admin', taking('sim_database.db.name'))
    await s.keep('secrets', 'creds', { name: 'pr1vate-name' })
    await s.write('sim_database.db', { name: '${secret["creds"].name}' })
    const plan = await s.apply()
    expect(await plan.lines()).toEqual(['blocked sim_null.guest', 'create sim_database.db', 'create sim_null.admin'])
    expect((await plan.change('sim_null.guest')).message).toContain('sensitive')
    // An edit elsewhere, by anyone, does not authorize what the guest wrote; writing the expression does.
    await s.write('sim_null.guest', { ...taking('sim_database.db.name'), lifecycle: { create_before_destroy: true } })
    expect(await (await s.plan()).lines()).toEqual(['blocked sim_null.guest'])
    await s.write('sim_null.guest', taking('sim_database.db.name + ""'))
    expect(await (await s.plan()).lines()).toEqual(['create sim_null.guest'])
    expect((await s.tryWrite('sim_null.guest', taking('sim_database.db.name + ""'), guest)).status).toBe(200)
    expect((await s.tryWrite('sim_null.guest', taking('sim_database.db.name'), guest)).status).toBe(403)
  })

  test('gets no value that turns out to echo a secret when it is applied', async () => {
    const s = await shared.scenario({ authorizer: noDatabases })
    await s.keep('secrets', 'creds', { name: 'pr1vate-name' })
    await s.write('sim_database.db', { name: '${secret["creds"].name}' })
    await s.write('sim_null.guest', taking('sim_database.db.endpoint'), guest)
    await s.write('sim_null.admin', taking('sim_database.db.endpoint'))
    echoing(s, 'endpoint', () => 'host/pr1vate-name')
    const plan = await s.apply()
    const outcome = async (address: string) => (await plan.change(address)).outcome
    expect(await outcome('sim_null.admin')).toMatchObject({ result: 'applied' })
    expect(await outcome('sim_null.guest')).toMatchObject({ result: 'refused' })
  })

  test('gets none through an object that was created again or got instances', async () => {
    const s = await shared.scenario({ authorizer: noDatabases })
    await s.write('sim_database.db', { for_each: ['a'], name: 'n' })
    for (const expression of ['sim_database.db.a.password', 'sim_database.db.a', 'sim_database.db[*].password[0]'])
      expect((await s.tryWrite('sim_null.n', taking(`string(${expression} == "")`), guest)).status).toBe(403)
    expect((await s.tryWrite('sim_null.n', taking('sim_database.db.a.name'), guest)).status).toBe(201)
    await s.write('sim_database.one', { name: 'n' })
    await s.write('sim_null.later', taking('string(sim_database.one.name == "")'), guest)
    await s.write('sim_database.one', { for_each: ['name'], name: 'n' })
    const plan = await s.plan()
    expect((await plan.change('sim_null.later')).action).toBe('blocked')
  })
})

describe('a reference that was written by another user', () => {
  const noSecrets = without('default/secrets')
  const secret = '${secret["prod"].password}'

  const start = async (spec: Spec): Promise<Scenario> => {
    const s = await shared.scenario({ authorizer: noSecrets })
    await s.keep('secrets', 'prod', { password: 'pr0duction' })
    await s.write('sim_secret.s', spec)
    return s
  }
  const base = { name: 'n', value: secret, value_version: 1 }

  test.each<[string, Spec, Spec, number]>([
    ['stays when something else changes', base, { ...base, value_version: 2 }, 200],
    ['stays when the lifecycle changes', base, { ...base, lifecycle: { prevent_destroy: true } }, 200],
    ['is checked at another path', base, { ...base, name: secret }, 403],
    ['is checked when it moves', base, { ...base, value: '${"x"}', name: secret }, 403],
    ['is checked in another expression', base, { ...base, value: `x${secret}` }, 403],
    ['is checked with another configuration of the provider', base, { ...base, provider: 'other' }, 403],
    ['is checked when it moves to for_each', base, { ...base, value: '${each.value}', for_each: { a: secret } }, 403],
    [
      'is checked when each.value is used elsewhere',
      { ...base, value: '${each.value}', for_each: { a: secret } },
      { ...base, name: '${each.value}', for_each: { a: secret } },
      403,
    ],
    [
      'stays when each.value is used less',
      { ...base, value: '${each.value}', name: '${each.value}', for_each: { a: secret } },
      { ...base, value: '${each.value}', name: 'n', for_each: { a: secret } },
      200,
    ],
  ])('%s', async (_, before, after, status) => {
    const s = await start(before)
    expect((await s.tryWrite('sim_secret.s', after, guest)).status).toBe(status)
    expect((await s.tryWrite('sim_secret.s', after)).status).toBe(200)
  })

  const configurations = '/apis/hykube.io/v1alpha1/namespaces/default/providerconfigs'
  const headersOf = (user: string) => ({ 'impersonate-user': user })

  test('is checked when any setting of its configuration changes, whose provider is immutable', async () => {
    const s = await shared.scenario({ authorizer: noSecrets })
    await s.configure({ world: secret }, 'west')
    const old = (await s.engine.api.get(`${configurations}/west`)).document
    const put = (spec: Spec, user?: string) =>
      s.engine.api.send('PUT', `${configurations}/west`, {
        body: { ...old, spec },
        headers: { 'content-type': 'application/json', ...(user !== undefined && headersOf(user)) },
      })
    expect((await put({ provider: 'sim', config: { world: secret, seed: 1 } }, 'guest')).status).toBe(403)
    const moved = await put({ provider: 'other', config: { world: secret } })
    expect([moved.status, moved.document.details.causes[0].field]).toEqual([422, 'spec.provider'])
    expect((await put({ provider: 'sim', config: { world: secret, seed: 1 } })).status).toBe(200)
  })

  test('needs the sensitive values of what is moved to another namespace', async () => {
    const s = await shared.scenario({ authorizer: noDatabases })
    await s.engine.api.post('/api/v1/namespaces', { metadata: { name: 'mine' } })
    await s.write('sim_database.db', { name: 'db' })
    await s.apply()
    const to = { namespace: 'mine', annotations: { 'hykube.io/moved-from': 'default/sim_database.db' } }
    expect((await s.tryWrite('sim_database.db', { name: 'db' }, { ...to, ...guest })).status).toBe(403)
    expect((await s.tryWrite('sim_database.db', { name: 'db' }, to)).status).toBe(201)
  })
})

test('the example of two persons gives out no state and no sensitive values', async () => {
  const roles = await readFile(new URL('../../examples/two-person-approval/roles.yaml', import.meta.url), 'utf8')
  const resources = [...roles.matchAll(/^ *resources:\s+\[([^\]]*)\]$/gm)].flatMap(([, list = '']) =>
    list.split(/[", ]+/),
  )
  expect(resources).toContain('sim-networks')
  expect(resources.filter((each) => each === '*' || /\/(state|sensitive)$/.test(each))).toEqual([])
})

async function tryForms(s: Scenario, target: string, attributes: readonly string[]) {
  const results: Record<string, number> = {}
  const accepted: string[] = []
  for (const [form, write] of Object.entries(accessForms))
    for (const attribute of attributes) {
      const address = `sim_null.${`${form}-${attribute}`.replaceAll(' ', '-')}`
      const { status } = await s.tryWrite(address, taking(write(target, attribute)), guest)
      results[`${form} ${attribute}`] = status
      if (status < 300) accepted.push(address)
    }
  return { results, accepted }
}

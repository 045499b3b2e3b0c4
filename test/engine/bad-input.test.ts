import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

describe('input that is refused when it is written', () => {
  test('a circle, with the circle in the message', async () => {
    const s = await shared.scenario()
    await s.write('sim_null.a', { triggers: { b: '${sim_null.b.id}' } })
    await s.write('sim_null.b', { triggers: { c: '${sim_null.c.id}' } })
    const answer = await s.tryWrite('sim_null.c', { triggers: { a: '${sim_null.a.id}' } })
    expect(answer.status).toBe(422)
    expect(answer.document.message).toContain('dependency cycle')
    expect(answer.document.message).toMatch(/sim-nulls\/default\/c → .*a → .*b → .*c/)
    const own = await s.tryWrite('sim_null.d', { depends_on: ['sim_null.d'] })
    expect(own.status).toBe(422)
  })

  test.each([
    ['a type that no value of the reference has', { triggers: '${sim_network.n.id}' }, 'spec.triggers'],
    ['syntax', { triggers: { a: '${sim_network.}' } }, 'spec.triggers'],
    ['an attribute that the target does not have', { triggers: { a: '${sim_network.n.nope}' } }, 'spec.triggers'],
    ['a type that no provider has', { triggers: { a: '${aws_vpc.n.id}' } }, 'spec.triggers'],
    ['a depends_on that is no address', { depends_on: ['what is this'] }, 'spec.depends_on'],
    ['an unknown lifecycle field', { lifecycle: { nope: true } }, 'lifecycle'],
    ['a sync that is not built', { lifecycle: { sync: 'Reconcile' } }, 'lifecycle.sync'],
    ['count and for_each at once', { count: 1, for_each: { a: 1 } }, 'spec'],
  ])('%s, with its place', async (_, spec, place) => {
    const s = await shared.scenario()
    await s.write('sim_network.n', { name: 'n', cidr: '10.0.0.0/16' })
    const answer = await s.tryWrite('sim_null.bad', spec)
    expect([answer.status, answer.document.message]).toEqual([422, expect.stringContaining(place)])
  })

  test.each([
    ['expressions', (many: string[]) => ({ triggers: Object.fromEntries(many.map((to, at) => [at, `\${${to}.id}`])) })],
    [
      'expressions in one text',
      (many: string[]) => ({
        triggers: {
          a: many
            .slice(0, 400)
            .map((to) => `\${${to}.id}`)
            .join(''),
          ...Object.fromEntries(many.map((to, at) => [at, `\${${to}.id}`])),
        },
      }),
    ],
    ['addresses', (many: string[]) => ({ depends_on: many })],
    ['triggers', (many: string[]) => ({ lifecycle: { replace_triggered_by: many } })],
  ])('more %s than can be looked at in time', async (_, specOf) => {
    const s = await shared.scenario()
    const many = Array.from({ length: 28_000 }, (_, at) => `sim_null.t${at}`)
    const before = process.cpuUsage()
    const answer = await s.tryWrite('sim_null.many', specOf(many))
    expect([answer.status, answer.document.message]).toEqual([
      422,
      expect.stringContaining('more than 3000 expressions'),
    ])
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000)
    expect((await s.tryWrite('sim_null.fewer', specOf(many.slice(0, 2_500)))).status).toBe(201)
  })

  test('a wrong value of an attribute, with its place', async () => {
    const s = await shared.scenario()
    const answer = await s.tryWrite('sim_bucket.b', { name: 'b', rules: [{ prefix: 'x', after_days: 'soon' }] })
    expect(answer.status).toBe(422)
    expect(answer.document.message).toContain('spec.rules[0].after_days')
  })
})

describe('a count that can not be one', () => {
  test.each([-1, 1e9, 1.5, 'many', '', true, [], {}, '-1', '1e9', '${-1}', '${1000000000}', '${"many"}'])(
    '%j is refused when it is written, or blocks the object',
    async (count) => {
      const s = await shared.scenario()
      const answer = await s.tryWrite('sim_bucket.bad', { count, name: 'x-${count.index}' })
      if (answer.status === 422) return expect(answer.document.message).toContain('spec.count')
      await s.write('sim_network.good', { name: 'n', cidr: '10.0.0.0/16' })
      const plan = await s.plan()
      expect(await plan.lines()).toEqual(['blocked sim_bucket.bad', 'create sim_network.good'])
      expect((await plan.change('sim_bucket.bad')).message).toContain('spec.count')
    },
  )

  test.each(['-1', '1000000000', 'many', '', '1.5', '1000001'])('%j in a ConfigMap blocks the object', async (n) => {
    const s = await shared.scenario()
    await s.keep('configmaps', 'c', { n })
    await s.write('sim_bucket.bad', { count: '${configmap["c"].n}', name: 'x-${count.index}' })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['blocked sim_bucket.bad'])
    expect((await plan.change('sim_bucket.bad')).message).toContain('spec.count')
  })

  test('defers the object while it is unknown and leaves its instances alone', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.b', { count: 2, name: 'x-${count.index}' })
    await s.apply()
    await s.write('sim_network.n', { name: 'n', cidr: '10.0.0.0/16' })
    await s.write('sim_bucket.b', { count: '${size(sim_network.n.id)}', name: 'x-${count.index}' })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['create sim_network.n', 'deferred sim_bucket.b'])
  })
})

describe('large input', () => {
  const tagsOf = (kilobytes: number) =>
    Object.fromEntries(Array.from({ length: kilobytes }, (_, i) => [`k${i}`, 'x'.repeat(1000)]))

  test('applies the largest specification that a request may carry', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.large', { name: 'large', tags: tagsOf(2800) })
    const plan = await s.apply()
    expect(await plan.lines()).toEqual(['create sim_bucket.large'])
    expect(await plan.phase()).toBe('Applied')
    expect(await (await s.plan({ scope: 'All', refresh: 'All' })).lines()).toEqual([])
  })

  test('a specification of more than three megabytes is refused', async () => {
    const s = await shared.scenario()
    expect((await s.tryWrite('sim_bucket.large', { name: 'large', tags: tagsOf(3200) })).status).toBe(413)
  })

  test('a specification of a megabyte is applied, and what is large of it not shown', async () => {
    const s = await shared.scenario()
    await s.write('sim_bucket.large', { name: 'large', tags: tagsOf(1100) })
    expect(await (await s.apply()).phase()).toBe('Applied')
    expect(Object.keys(await s.attributes('sim_bucket.large'))).not.toContain('tags')
    expect((await s.attributes('sim_bucket.large')).id).toBeDefined()
    expect(await (await s.plan({ scope: 'All', refresh: 'All' })).lines()).toEqual([])
  })

  test.each([
    [
      'loops in loops',
      '${[1,2,3,4,5,6,7,8,9,10].map(a, [1,2,3,4,5,6,7,8,9,10].map(b, [1,2,3,4,5,6,7,8,9,10].map(c, [1,2,3,4,5,6,7,8,9,10].map(d, [1,2,3,4,5,6,7,8,9,10].map(e, [1,2,3,4,5,6,7,8,9,10].map(f, [1,2,3,4,5,6,7,8,9,10].map(g, a + b)))))))}',
    ],
    [
      'texts that double',
      `\${${Array.from({ length: 30 }).reduce<string>((text) => `[${text}].map(t, t + t)[0]`, '"xxxxxxxxxxxxxxxx"')}}`,
    ],
    ['brackets in brackets', `\${${'('.repeat(5000)}1${')'.repeat(5000)}}`],
  ])('an expression of %s ends within bounds', { timeout: 90_000 }, async (_, expression) => {
    const s = await shared.scenario()
    const before = process.cpuUsage()
    const answer = await s.tryWrite('sim_null.n', {
      triggers: { a: expression.startsWith('${[') ? `\${string(${expression.slice(2, -1)}.size())}` : expression },
    })
    if (answer.status < 300) expect((await (await s.plan()).lines())[0]).toMatch(/^(blocked|create) sim_null.n$/)
    else expect(answer.status).toBe(422)
    const { user } = process.cpuUsage(before)
    expect(user / 1e6).toBeLessThan(10)
    await s.write('sim_bucket.after', { name: 'after' })
    expect(await (await s.plan()).lines()).toContain('create sim_bucket.after')
  })
})

describe('input that is blocked when it is planned', () => {
  test('a missing target blocks the object, not the plan', async () => {
    const s = await shared.scenario()
    await s.write('sim_subnet.a', { network_id: '${sim_network.nowhere.id}', cidr: '10.0.1.0/24' })
    await s.write('sim_bucket.b', { name: 'b' })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['blocked sim_subnet.a', 'create sim_bucket.b'])
    expect((await plan.change('sim_subnet.a')).message).toContain('there is no sim-networks "nowhere"')
    await s.write('sim_network.nowhere', { name: 'n', cidr: '10.0.0.0/16' })
    expect(await (await s.plan()).lines()).toEqual([
      'create sim_bucket.b',
      'create sim_network.nowhere',
      'create sim_subnet.a',
    ])
  })

  test('a dependent of a blocked object names the one to fix, not the chain to it', async () => {
    const s = await shared.scenario()
    await s.write('sim_null.a', { triggers: { x: '${sim_null.nowhere.id}' } })
    await s.write('sim_null.b', { triggers: { x: '${sim_null.a.id}' } })
    await s.write('sim_null.c', { triggers: { x: '${sim_null.b.id}' } })
    const { message } = await (await s.plan()).change('sim_null.c')
    expect(message).toBe(
      'sim_null.b.id waits for sim-nulls "a" in namespace "default", which is blocked: sim_null.nowhere.id: there is no sim-nulls "nowhere" in namespace "default"',
    )
  })

  test('a refusal of a provider names its place', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.n', { name: 'n', cidr: 'nowhere' })
    await s.write('sim_subnet.a', { network_id: '${sim_network.n.id}', cidr: '10.0.1.0/24' })
    const plan = await s.plan()
    expect(await plan.lines()).toEqual(['blocked sim_network.n', 'blocked sim_subnet.a'])
    expect((await plan.change('sim_network.n')).diagnostics?.[0]?.field).toBe('spec.cidr')
    await s.write('sim_network.n', { name: 'n', cidr: '10.0.0.0/16' })
    expect(await (await s.plan()).lines()).toEqual(['create sim_network.n', 'create sim_subnet.a'])
  })

  test('an expression that never ends is stopped', async () => {
    const s = await shared.scenario()
    const list = `[${Array.from({ length: 200 }, (_, i) => i).join()}]`
    const loop = `\${string(${list}.map(a, ${list}.map(b, ${list}.map(c, ${list}.map(d, a+b+c+d)))).size())}`
    const answer = await s.tryWrite('sim_null.n', { triggers: { a: loop } })
    if (answer.status < 300) expect(await (await s.plan()).lines()).toEqual(['blocked sim_null.n'])
    else expect(answer.status).toBe(422)
  })

  test('an object that refers to a refused one is blocked', async () => {
    const s = await shared.scenario()
    const other = await s.tryWrite('sim_null.b', { triggers: { a: '${sim_null.a.id}' } })
    expect(other.status).toBe(201)
    expect((await s.tryWrite('sim_null.a', { triggers: { b: '${sim_null.b.id}' } })).status).toBe(422)
    expect(await (await s.plan()).lines()).toEqual(['blocked sim_null.b'])
  })
})

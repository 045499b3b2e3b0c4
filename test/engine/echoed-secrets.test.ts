import { Buffer } from 'node:buffer'
import { decodeKey, type Store } from '@hykube/server/storage'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { echoing } from './faults.ts'
import { type MadePlan, type Scenario, SharedSim, type Spec } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

/** Keeps everything that is written to the store in plain: all but the encrypted spaces and Secrets. */
function recordingPlainBytes(into: string[]): (store: Store) => Store {
  const encrypted = new Set(['state', 'journal', 'requests', 'changes', 'batches', 'hash-key', 'key-ring'])
  return (store) =>
    new Proxy(store, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown
        if (typeof value !== 'function') return value
        if (name !== 'commit') return value.bind(target)
        return (group: Parameters<Store['commit']>[0]) => {
          for (const operation of group.operations) {
            if (operation.kind !== 'put') continue
            const { space, segments } = decodeKey(operation.key)
            if (encrypted.has(space) || segments.includes('secrets')) continue
            into.push(`${segments.join('/')} ${Buffer.from(operation.value).toString()}`)
          }
          return target.commit(group)
        }
      },
    })
}

async function everythingShown(s: Scenario, plans: readonly MadePlan[], addresses: readonly string[]): Promise<string> {
  const shown: unknown[] = [...s.engine.reports]
  for (const plan of plans) shown.push(await plan.status(), await plan.changes(), await plan.json())
  for (const address of addresses) shown.push(await s.read(address), await s.instances(address))
  shown.push((await s.engine.api.get('/api/v1/namespaces/default/events')).document)
  return JSON.stringify(shown)
}

const secret = 'pa"ss/w0rd+123'
const forms: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'within a text': (text) => `host/${text}?x`,
  'as JSON': (text) => JSON.stringify({ text }),
  'encoded for an address': (text) => `https://h/?q=${encodeURIComponent(text)}`,
  'in base64': (text) => Buffer.from(text).toString('base64'),
}
/** How the secret gets to an object `sim_instance.i`, whose attribute private_ip the provider echoes it in. */
const ways: Readonly<Record<string, Spec>> = {
  'of an attribute': { image: '${secret["creds"].token}' },
  'of a part of an attribute': { image: 'i', tags: { t: '${secret["creds"].token}' } },
  'of a text in an attribute': { image: 'x-${secret["creds"].token}' },
  'of an instance': { image: '${each.value}', for_each: { a: '${secret["creds"].token}' } },
  'of another object': { image: '${sim_instance.first.image}' },
}

describe('a secret that a provider returns in another attribute', () => {
  test.each(Object.keys(ways))('is shown nowhere and stored encrypted: %s', async (way) => {
    const bytes: string[] = []
    const s = await shared.scenario({ wrapStore: recordingPlainBytes(bytes) })
    await s.keep('secrets', 'creds', { token: secret })
    const written: string[] = []
    const write = async (address: string, spec: Spec) => {
      await s.write(address, { subnet_id: 's', ...spec })
      written.push(address)
    }
    if (way === 'of another object') await write('sim_instance.first', { image: '${secret["creds"].token}' })
    const plans: MadePlan[] = []
    for (const [index, form] of Object.values(forms).entries()) {
      echoing(s, 'private_ip', () => form(secret))
      await write(`sim_instance.i${index}`, ways[way]!)
      plans.push(await s.apply(), await s.plan({ refresh: 'All' }))
      await s.write(`sim_instance.i${index}`, { subnet_id: 's', ...ways[way]!, size: 'large' })
      plans.push(await s.apply())
      expect(await plans.at(-1)!.phase()).toBe('Applied')
    }
    const shown = `${await everythingShown(s, plans, written)}\n${bytes.join('\n')}`
    for (const [form, write] of Object.entries(forms)) {
      const text = form === 'as JSON' ? JSON.stringify(secret).slice(1, -1) : write(secret)
      for (const each of [text, JSON.stringify(text).slice(1, -1)])
        expect([form, shown.includes(each)]).toEqual([form, false])
    }
    expect(shown).toContain('private_ip')
    echoing(s, 'none', () => '')
    expect(await (await s.plan()).lines()).toEqual([])
  })

  test('is shown nowhere when it is only written, or of another attribute that the schema calls sensitive', async () => {
    const s = await shared.scenario()
    await s.keep('secrets', 'creds', { token: secret })
    echoing(s, 'endpoint', () => 'unused')
    await s.write('sim_secret.s', { name: 'n', value: '${secret["creds"].token}', value_version: 1 })
    await s.write('sim_database.db', { name: 'db' })
    s.engine.providers.intercept = ({ method, go, request }) =>
      method !== 'applyResourceChange'
        ? undefined
        : go().then((answer) => {
            const { newState } = answer as { newState: Record<string, string> }
            const echo =
              request.typeName === 'sim_secret' ? { id: `id-${secret}` } : { endpoint: `u:${newState.password}@h` }
            return { ...(answer as object), newState: Object.assign(Object.create(null), newState, echo) }
          })
    const plan = await s.apply()
    const shown = await everythingShown(s, [plan], ['sim_secret.s', 'sim_database.db'])
    expect(shown).not.toContain('w0rd+123')
    expect((await s.attributes('sim_database.db')).endpoint).toBeUndefined()
    expect((await s.attributes('sim_secret.s')).id).toBeUndefined()
  })

  test('of a configuration of the provider is shown nowhere', async () => {
    const s = await shared.scenario()
    const world = s.world.file
    await s.keep('secrets', 'creds', { world: `sqlite:${world}` })
    await s.configure({ world: '${secret["creds"].world}' }, 'west')
    await s.write('sim_instance.i', { subnet_id: 's', image: 'i', provider: 'west' })
    echoing(s, 'private_ip', () => `at sqlite:${world}`)
    const plan = await s.apply()
    expect(await plan.phase()).toBe('Applied')
    expect(await everythingShown(s, [plan], ['sim_instance.i'])).not.toContain(world)
  })

  test('is not mistaken for what the spec says openly', async () => {
    const s = await shared.scenario()
    await s.keep('secrets', 'creds', { token: 'production' })
    await s.write('sim_instance.i', {
      subnet_id: 'production',
      image: 'production-1',
      tags: { t: '${secret["creds"].token}' },
    })
    await s.apply()
    expect(await s.attributes('sim_instance.i')).toMatchObject({ subnet_id: 'production', image: 'production-1' })
  })
})

const failsUnless = (condition: string) => `\${${condition} ? "ok" : string(int("boom"))}`

describe('failures that a sensitive value decides', () => {
  const value = 'secret["creds"].token'

  test.each<[string, (letter: string) => Spec]>([
    ['count', (c) => ({ count: `\${${value}.startsWith("${c}") ? 1 : int("boom")}` })],
    ['for_each', (c) => ({ for_each: `\${${value}.startsWith("${c}") ? ["a"] : ["a", string(int("boom"))]}` })],
    ['missing instances', (c) => ({ count: `\${sim_null.many[${value}.startsWith("${c}") ? 0 : 7].id.size()}` })],
  ])('in %s look the same as its success', async (_, spec) => {
    const s = await shared.scenario()
    await s.keep('secrets', 'creds', { token: 'abc' })
    await s.write('sim_null.many', { count: 1 })
    await s.write('sim_null.right', spec('a'))
    await s.write('sim_null.wrong', spec('z'))
    const plan = await s.plan()
    const [right, wrong] = [await plan.change('sim_null.right'), await plan.change('sim_null.wrong')]
    expect([right.action, right.message]).toEqual(['blocked', wrong.message])
  })

  test('of some instances block the object as a whole, in the same words whichever they are', async () => {
    const s = await shared.scenario()
    await s.keep('secrets', 'creds', { token: 'abc' })
    const letters = ['a', 'b', 'c']
    const messages: (string | undefined)[] = []
    for (const test of [`${value}.startsWith(each.key)`, `${value}.endsWith(each.key)`, `${value} == each.key`]) {
      await s.write('sim_null.n', {
        for_each: letters,
        triggers: { v: failsUnless(test), w: failsUnless(`!(${test})`) },
      })
      const plan = await s.plan()
      expect(await plan.lines()).toEqual(['blocked sim_null.n'])
      messages.push((await plan.changes())[0]?.message)
    }
    expect(new Set(messages).size).toBe(1)
    expect(messages[0]).toContain('sensitive')
    await s.write('sim_null.n', { for_each: letters, triggers: { v: `\${${value} + each.key}` } })
    expect(await (await s.plan()).lines()).toHaveLength(3)
  })
})

describe('failures that a sensitive value decides at apply time', () => {
  const password = 'sim_database.db.password'

  test.each<[string, (condition: string) => Spec, string]>([
    [
      'for_each',
      (c) => ({ for_each: ['a', 'b'], triggers: { v: failsUnless(c) } }),
      `${password}.startsWith(each.key)`,
    ],
    ['count', (c) => ({ count: 2, triggers: { v: failsUnless(c) } }), `${password}.size() != count.index + 1`],
  ])('refuse all instances of %s in the same words', async (_, spec, condition) => {
    const s = await shared.scenario()
    s.engine.providers.intercept = ({ method, go, request }) =>
      method !== 'applyResourceChange' || request.typeName !== 'sim_database'
        ? undefined
        : go().then((answer) => {
            const { newState } = answer as { newState: object }
            const withPassword = Object.assign(Object.create(null), newState, { password: 'a' })
            return { ...(answer as object), newState: withPassword }
          })
    await s.write('sim_database.db', { name: 'db' })
    await s.write('sim_null.n', spec(condition))
    const plan = await s.apply()
    const changes = (await plan.changes()).filter(({ address }) => address.startsWith('sim_null'))
    expect(changes).toHaveLength(2)
    expect(changes.map(({ outcome }) => outcome?.result)).toEqual(['refused', 'refused'])
    expect(new Set(changes.map(({ outcome }) => outcome?.message)).size).toBe(1)
  })
})

describe('a changed sensitive value', () => {
  test('is told in the plan and its JSON, without the value', async () => {
    const s = await shared.scenario()
    await s.keep('secrets', 'creds', { token: 'first-value', other: 'second-value' })
    const spec = (key: string) => ({ triggers: { a: `\${secret["creds"].${key}}`, b: 'x' } })
    await s.write('sim_null.n', spec('token'))
    const created = await (await s.apply()).change('sim_null.n')
    expect(created.change.changed_sensitive).toEqual([{ path: ['triggers', 'a'], action: 'create' }])
    await s.write('sim_null.n', spec('other'))
    const plan = await s.plan()
    const { change } = await plan.change('sim_null.n')
    expect(change.changed_sensitive).toEqual([{ path: ['triggers', 'a'], action: 'update' }])
    expect((await plan.json()).resource_changes[0].change.changed_sensitive).toEqual(change.changed_sensitive)
  })
})

import { describe, expect, test } from 'vitest'
import type { StateResource } from './state-file.ts'
import { objectName, objectNames, pairsFrom } from './state-names.ts'
import { inWaves } from './state-order.ts'
import { targetOf } from './state-targets.ts'

function resource(address: string, dependencies: readonly string[] = []): StateResource {
  const [, module = '', type = '', name = ''] = /^(?:(module\..*)\.)?(\w+)\.([\w-]+)$/.exec(address)!
  const provider = { source: 'registry.terraform.io/hashicorp/sim', alias: 'west' }
  return { file: 'a.tfstate', module, type, name, provider, instances: [{}], dependencies }
}

describe('the name of an object', () => {
  test.each([
    ['', 'main', 'main'],
    ['', 'My_Main', 'my-main'],
    ['module.net', 'main', 'net-main'],
    ['module.net[0].module.zone["eu west"]', 'a', 'net-0-zone-eu-west-a'],
    ['module.net["a.module.b"]', 'x', 'net-a-module-b-x'],
    ['', '_x_', 'x'],
  ])('of %s.%s is %s', (module, name, expected) => {
    expect(objectName({ module, name })).toBe(expected)
  })

  test('is given outright where two would be the same', () => {
    const same = [resource('module.a.sim_null.b'), resource('sim_null.a-b')]
    expect(() => objectNames(same, new Map())).toThrow('module.a.sim_null.b (a.tfstate), sim_null.a-b (a.tfstate)')
    const names = objectNames(same, pairsFrom('--name', ['module.a.sim_null.b=other']))
    expect([...names.values()]).toEqual(['other', 'a-b'])
  })

  test('may be shared by different types', () => {
    expect([...objectNames([resource('sim_null.a'), resource('sim_bucket.a')], new Map()).values()]).toEqual(['a', 'a'])
  })
})

describe('dependents in a state file', () => {
  const addresses = (waves: ReturnType<typeof inWaves>) =>
    waves.map((wave) => wave.map(({ resource: { name } }) => name))

  test('comes after it', () => {
    const chain = [resource('sim_null.c', ['sim_null.a', 'sim_null.b']), resource('sim_null.b', ['sim_null.a'])]
    const waves = inWaves([...chain, resource('sim_null.a')])
    expect(addresses(waves)).toEqual([['a'], ['b'], ['c']])
    expect(waves[2]![0]!.direct.map(({ name }) => name)).toEqual(['b'])
    expect(waves[2]![0]!.all.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  test('means the instance of a module that both are in', () => {
    const both = ['eu', 'us'].flatMap((key) => [
      resource(`module.z["${key}"].sim_null.a`),
      resource(`module.z["${key}"].sim_null.b`, ['module.z.sim_null.a']),
    ])
    const [, second] = inWaves([...both, resource('sim_null.all', ['module.z.sim_null.a'])])
    expect(second!.map(({ resource: { module }, all }) => [module, all.map((each) => each.module)])).toEqual([
      ['module.z["eu"]', ['module.z["eu"]']],
      ['module.z["us"]', ['module.z["us"]']],
      ['', ['module.z["eu"]', 'module.z["us"]']],
    ])
  })

  test('in a circle is taken all the same', () => {
    const circle = [resource('sim_null.a', ['sim_null.b']), resource('sim_null.b', ['sim_null.a'])]
    expect(addresses(inWaves(circle))).toEqual([['a', 'b']])
  })
})

describe('the Provider of a resource', () => {
  const kind = (provider: string) => ({
    ...{ group: `${provider}.hykube.io`, version: 'v1', resource: 'sim-nulls', kind: 'SimNull', namespaced: true },
    ...{ verbs: [], subresources: [], preferred: true, provider, data: false, type: 'sim_null' },
  })
  const choose = (providers: readonly string[], ...choices: readonly string[]) => {
    const chosen = pairsFrom('--provider', choices)
    return targetOf(resource('sim_null.a'), providers.map(kind), chosen, 'default', 'a')
  }

  test('is the only one that has its type, with the configuration of the same name', () => {
    expect(choose(['sim'])).toMatchObject({ at: { group: 'sim.hykube.io' }, configuration: 'west' })
  })

  test.each([['sim=b'], ['sim.west=b'], ['hashicorp/sim=b'], ['registry.terraform.io/hashicorp/sim=b']])(
    'is chosen by %s',
    (choice) => expect(choose(['a', 'b'], choice)).toMatchObject({ at: { group: 'b.hykube.io' } }),
  )

  test('is chosen with its configuration', () => {
    expect(choose(['a', 'b'], 'sim=a', 'sim.west=b/other')).toMatchObject({ configuration: 'other' })
    expect(choose(['a'], 'sim.west=a/')).toMatchObject({ configuration: '' })
  })

  test.each([
    [['a', 'b'], [], 'several Providers have the type sim_null: a, b; choose one: --provider sim=a'],
    [[], [], 'no Provider has the type sim_null; install it with: hykube providers install hashicorp/sim'],
    [['a'], ['sim=b'], 'Provider b lacks sim_null; install it with: hykube providers install hashicorp/sim'],
  ])('of %j with %j is missing, and only this resource is refused', (providers, choices, message) => {
    expect(choose(providers, ...choices)).toEqual({ kind: 'refused', message })
  })

  test('is not needed for resources that exist only in Terraform', () => {
    const provider = { source: 'terraform.io/builtin/terraform', alias: '' }
    const data = { ...resource('terraform_data.a'), provider }
    expect(targetOf(data, [], new Map(), 'default', 'a')).toMatchObject({ kind: 'skipped' })
  })
})

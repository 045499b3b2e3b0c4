import { Decimal, type Value, valueObject } from '@hykube/tfplugin/value'
import { describe, expect, test } from 'vitest'
import type { SensitiveTree } from '../terraform/index.ts'
import { SecretValues } from './secret-values.ts'

const whole: SensitiveTree = { whole: true, parts: new Map() }
const tree = (parts: Record<string, SensitiveTree>): SensitiveTree => ({
  whole: false,
  parts: new Map(Object.entries(parts)),
})
const config = valueObject({
  name: 'open',
  password: 'hidden',
  port: Decimal.fromInteger(22),
  env: valueObject({ 'A B': 'x1', empty: '' }),
})
const sensitive = tree({ password: whole, port: whole, env: whole })

describe('sensitive values of an imported object', () => {
  test('become references to keys of one Secret', () => {
    const values = new SecretValues('db.sim-database')
    const hidden = values.hide(config, sensitive, 'eu') as Record<string, Value>
    expect(hidden.name).toBe('open')
    expect(values.write(hidden.password as string)).toBe('${secret["db.sim-database"]["eu.password"]}')
    expect(values.write('open')).toBeUndefined()
    expect((hidden.env as Record<string, Value>).empty).toBe('')
    expect([...values.data]).toEqual([
      ['eu.password', 'hidden'],
      ['eu.port', '22'],
      ['eu.env.A_B', 'x1'],
    ])
  })

  test('share a key where they are equal', () => {
    const values = new SecretValues('s')
    const [a, b] = [0, 1].map((key) => values.hide(config, sensitive, key) as Record<string, Value>)
    expect(a!.password).toBe(b!.password)
    expect(values.data.size).toBe(3)
  })

  test('are left out where there is no Secret', () => {
    const values = new SecretValues(undefined)
    const hidden = values.hide(config, sensitive, undefined) as Record<string, Value>
    expect([hidden.name, hidden.password, hidden.port]).toEqual(['open', null, null])
    expect(values.omitted).toEqual(['spec.password', 'spec.port', 'spec.env'])
  })
})

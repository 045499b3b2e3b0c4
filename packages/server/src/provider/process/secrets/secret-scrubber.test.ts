import type { Attribute, Block } from '@hykube/tfplugin/schema'
import { Decimal, stringType, Typed, valueObject } from '@hykube/tfplugin/value'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SecretScrubber, secretVariables, sensitiveStrings } from './secret-scrubber.ts'

const documented = { description: '', descriptionKind: 'plain', deprecated: false, deprecationMessage: '' } as const

function attribute(name: string, rules: Partial<Attribute> = {}): Attribute {
  const plain = { required: false, optional: true, computed: false, sensitive: false, writeOnly: false }
  return { name, shape: { kind: 'plain', type: stringType }, ...plain, ...documented, ...rules }
}

function blockOf(attributes: readonly Attribute[], blocks: Block['blocks'] = []): Block {
  return { attributes, blocks, ...documented }
}

describe('scrubbing', () => {
  const pem = '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASC\n-----END KEY-----'

  test.each([
    ['as it is', 'p@ss "word"', 'it is p@ss "word"!', 'it is (sensitive value)!'],
    ['within JSON', 'p@ss "word"', '{"a":"p@ss \\"word\\""}', '{"a":"(sensitive value)"}'],
    ['in an address', 'p@ss "word"', 'https://u:p%40ss%20%22word%22@h/', 'https://u:(sensitive value)@h/'],
    ['in base64', 'p@ss "word"', 'Basic cEBzcyAid29yZCI=', 'Basic (sensitive value)'],
    ['a line of it', pem, 'read MIIEvQIBADANBgkqhkiG9w0B of it', 'read (sensitive value) of it'],
    ['what looks like a pattern', 'a.*b+$', 'a.*b+$ axxb', '(sensitive value) axxb'],
    ['what is too short', 'abc', 'abc', 'abc'],
  ])('%s', (_, secret, text, clean) => {
    expect(new SecretScrubber([secret]).text(text)).toBe(clean)
  })

  test('replaces every secret at any position', () => {
    const secret = fc.string({ minLength: 4, maxLength: 12, unit: fc.constantFrom('a', 'b', '$', '"', '\\', 'é') })
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1, maxLength: 4 }), fc.array(secret), (secrets, others) => {
        const text = [...others, ...secrets].join('|')
        const clean = new SecretScrubber(secrets).json({ deep: [{ text }] })
        for (const one of secrets) expect(clean.deep[0]!.text).not.toContain(one)
        expect(clean.deep[0]!.text.split('|')).toHaveLength(others.length + secrets.length)
      }),
    )
  })

  test('replaces the longer of two overlapping secrets as a whole', () => {
    expect(new SecretScrubber(['word', 'password-1']).text('password-1 word')).toBe(
      '(sensitive value) (sensitive value)',
    )
  })

  test('keeps the other fields of diagnostics', () => {
    const given = [{ severity: 'error', summary: 'bad hunter2', detail: 'hunter2', path: 'a.b' }] as const
    expect(new SecretScrubber(['hunter2']).diagnostics(given)).toEqual([
      { severity: 'error', summary: 'bad (sensitive value)', detail: '(sensitive value)', path: 'a.b' },
    ])
  })
})

test('finds sensitive attributes at any depth', () => {
  const inner = [attribute('token', { sensitive: true }), attribute('name')]
  const nested = (name: string, nesting: 'single' | 'list' | 'map') =>
    attribute(name, { shape: { kind: 'nested', nesting, attributes: inner } })
  const block = blockOf(
    [attribute('region'), attribute('password', { sensitive: true }), attribute('once', { writeOnly: true })].concat([
      nested('one', 'single'),
      nested('many', 'list'),
      nested('named', 'map'),
    ]),
    (['list', 'single', 'map'] as const).map((nesting) => ({
      ...{ name: `block_${nesting}`, nesting, minItems: 0, maxItems: 0 },
      block: blockOf(inner),
    })),
  )
  const secret = (token: string) => valueObject({ token, name: 'open' })
  const value = valueObject({
    region: 'open',
    password: new Typed(stringType, 'p1'),
    once: [Decimal.fromInteger(12345), 'p2', null],
    one: secret('p3'),
    many: [secret('p4'), null],
    named: valueObject({ a: secret('p5') }),
    block_list: [secret('p6')],
    block_single: secret('p7'),
    block_map: valueObject({ a: secret('p8') }),
  })
  expect([...sensitiveStrings(value, block)].sort()).toEqual(['12345', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8'])
  expect(sensitiveStrings(null, block)).toEqual([])
})

test('treats environment variables as secret by their names', () => {
  const environment = { AWS_REGION: 'a', AWS_SECRET_ACCESS_KEY: 'b', GITHUB_TOKEN: 'c', PGPASSWORD: 'd', HOME: 'e' }
  expect(secretVariables(environment)).toEqual(['b', 'c', 'd'])
})

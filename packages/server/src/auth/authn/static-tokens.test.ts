import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvRecords } from './csv.ts'
import { createStaticTokenAuthenticator, tokensFromCsv } from './static-tokens.ts'

const audiences = ['api']

describe('a token file', () => {
  test('has tokens with users, uids and groups', () => {
    expect(tokensFromCsv('t1,jane,u1\r\nt2,john,,"dev,ops"\n\n,nobody,u3\nt4,a,b,single')).toEqual([
      { token: 't1', user: { name: 'jane', uid: 'u1', groups: [] } },
      { token: 't2', user: { name: 'john', groups: ['dev', 'ops'] } },
      { token: 't4', user: { name: 'a', uid: 'b', groups: ['single'] } },
    ])
  })

  test.each<[string, string]>([
    ['two columns', 't,jane'],
    ['a quote in the middle', 't,ja"ne,u'],
    ['an unterminated quote', 't,"jane,u'],
    ['text after a quote', 't,"jane"x,u'],
  ])('with %s is rejected', (_, text) => {
    expect(() => tokensFromCsv(text)).toThrow(/cannot read/)
  })

  test('is parsed as written', () => {
    const field = fc.string({ unit: fc.constantFrom('a', 'b', ',', '"', '\n', ' ') })
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 2, maxLength: 4 })), (records) => {
        const text = records
          .map((record) => record.map((value) => `"${value.replaceAll('"', '""')}"`).join())
          .join('\n')
        expect(csvRecords(text)).toEqual(records)
      }),
    )
  })
})

describe('static tokens', () => {
  const authenticator = createStaticTokenAuthenticator(
    [
      { token: 'secret', user: { name: 'old', groups: [] } },
      { token: 'secret', user: { name: 'jane', groups: ['dev'] } },
    ],
    audiences,
  )

  test('authenticate as their user; the later of two equal ones counts', async () => {
    expect(await authenticator.authenticateToken('secret', { audiences })).toEqual({
      kind: 'authenticated',
      identity: { user: { name: 'jane', groups: ['dev'] }, audiences },
    })
  })

  test('return one object for all requests', async () => {
    const ask = async () =>
      (await authenticator.authenticateToken('secret', { audiences: ['x', 'api'] })) as { identity: object }
    expect((await ask()).identity).toBe((await ask()).identity)
  })

  test.each(['', 'secre', 'secret ', 'Secret', 'secrets', '\0secret'])('%j is unknown', async (token) => {
    expect((await authenticator.authenticateToken(token, { audiences })).kind).toBe('unknown')
  })

  test('are cached per connection, and no other token with them', async () => {
    const [connection, context] = [{}, { audiences: ['here'] }]
    const authenticator = createStaticTokenAuthenticator([{ token: 'a', user: { name: 'ann', groups: [] } }], ['here'])
    const ask = (token: string, by: object) => authenticator.authenticateToken(token, { ...context, connection: by })
    const first = await ask('a', connection)
    expect(first).toMatchObject({ kind: 'authenticated', identity: { user: { name: 'ann' } } })
    expect(await ask('a', connection)).toEqual(first)
    expect(await ask('b', connection)).toMatchObject({ kind: 'unknown' })
    expect(await ask('b', {})).toMatchObject({ kind: 'unknown' })
  })

  test('are not valid for other audiences', async () => {
    expect((await authenticator.authenticateToken('secret', { audiences: ['vault'] })).kind).toBe('unknown')
  })
})

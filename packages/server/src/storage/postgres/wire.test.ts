import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithPostgres } from '../testing/postgres-for-tests.ts'
import { bigIntegers, booleans, byteArrays, integers, resultTypes } from './wire.ts'

describeWithPostgres('lists sent to PostgreSQL', (server) => {
  let client: pg.Client
  beforeAll(async () => {
    client = new pg.Client({ connectionString: server().url(), types: resultTypes })
    await client.connect()
  })
  afterAll(() => client.end())

  const same = async <T>(type: string, encode: (items: T[]) => Buffer, items: T[]) => {
    const { rows } = await client.query(`SELECT item FROM unnest($1::${type}[]) AS item`, [encode(items)])
    expect(rows.map(({ item }) => item)).toEqual(items)
  }

  it('are read as written: bytes', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.option(fc.uint8Array())), (items) =>
        same(
          'bytea',
          byteArrays,
          items.map((item) => item && Buffer.from(item)),
        ),
      ),
    ))

  it('are read as written: 64-bit integers', () =>
    fc.assert(fc.asyncProperty(fc.array(fc.option(fc.maxSafeInteger())), (items) => same('int8', bigIntegers, items))))

  it('are read as written: 32-bit integers', () =>
    fc.assert(fc.asyncProperty(fc.array(fc.integer()), (items) => same('int4', integers, items))))

  it('are read as written: booleans', () =>
    fc.assert(fc.asyncProperty(fc.array(fc.boolean()), (items) => same('bool', booleans, items))))
})

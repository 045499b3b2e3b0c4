import pg from 'pg'
import { expect, it } from 'vitest'
import { describeWithPostgres, freshSchema } from '../testing/postgres-for-tests.ts'
import { commit, mark, object, put, remove, scanAll } from '../testing/shorthand.ts'
import { testSpaces } from '../testing/store-under-test.ts'
import { TestSealer } from '../testing/test-sealer.ts'
import { openPostgresStore } from './postgres-store.ts'
import { restorePostgres } from './restore.ts'
import { restored } from './restored.ts'
import { createStatements } from './statements.ts'

// Each signature matches a call of the store at least as well as PostgreSQL's own function.
const functions = [
  ['unnest(bigint[])', 'SETOF bigint'],
  ['unnest(integer[])', 'SETOF integer'],
  ['unnest(bytea[])', 'SETOF bytea'],
  ['unnest(boolean[])', 'SETOF boolean'],
  ['now()', 'timestamptz'],
  ['octet_length(bytea)', 'integer'],
  ['pg_notify(text, text)', 'void'],
  ['pg_backend_pid()', 'integer'],
  ['pg_is_in_recovery()', 'boolean'],
  ['current_setting(text)', 'text'],
  ['current_setting(text, boolean)', 'text'],
  ['pg_total_relation_size(regclass)', 'bigint'],
  ['pg_terminate_backend(integer)', 'boolean'],
] as const

const operators = [
  ['=', 'bytea'],
  ['<', 'bytea'],
  ['>', 'bytea'],
  ['>=', 'bytea'],
  ['=', 'bigint'],
  ['<', 'bigint'],
  ['<=', 'bigint'],
  ['>', 'bigint'],
  ['>=', 'bigint'],
] as const

describeWithPostgres('a role that may create functions in the schema public', (server) => {
  const asRole = async (role: string, sql: string) => {
    const client = new pg.Client({ connectionString: server().url().replace('hykube@', `${role}@`) })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }

  it('are never called by the store, even when the role’s search_path begins with public', async () => {
    await asRole('hykube', 'CREATE ROLE hostile LOGIN; GRANT CREATE, USAGE ON SCHEMA public TO hostile')
    await asRole('hykube', 'CREATE TABLE public.caught (what text); GRANT INSERT ON public.caught TO PUBLIC')
    for (const [signature, answer] of functions) {
      const body = `INSERT INTO public.caught SELECT '${signature.replaceAll("'", '')}'; SELECT NULL::${answer.replace('SETOF ', '')}`
      await asRole('hostile', `CREATE FUNCTION public.${signature} RETURNS ${answer} LANGUAGE sql AS $$ ${body} $$`)
    }
    for (const [index, [operator, type]] of operators.entries()) {
      const body = `INSERT INTO public.caught SELECT '${operator} ${type}'; SELECT true`
      await asRole(
        'hostile',
        `CREATE FUNCTION public.compare${index}(${type}, ${type}) RETURNS boolean LANGUAGE sql AS $$ ${body} $$;
         CREATE OPERATOR public.${operator} (FUNCTION = public.compare${index}, LEFTARG = ${type}, RIGHTARG = ${type})`,
      )
    }
    // Verifies the test itself: an unqualified call uses the other role's function.
    await asRole('hykube', 'SELECT * FROM unnest(ARRAY[1]::bigint[]) AS r')
    expect(await asRole('hykube', 'DELETE FROM public.caught RETURNING what')).toEqual([{ what: 'unnest(bigint[])' }])
    await asRole('hykube', 'ALTER ROLE hykube SET search_path = public, pg_catalog')

    const place = { url: server().url(), schema: freshSchema() }
    const sealer = new TestSealer()
    const store = await openPostgresStore({ ...place, spaces: testSpaces, sealer })
    const following = store.changes(0)[Symbol.asyncIterator]()
    await commit(store, put(object('a'), '1'), put(mark('m'), '1'), put(object('b'), '1'))
    await following.next()
    await commit(store, put(object('a'), '2'), remove(object('b')), { kind: 'delete-range', range: { space: 'marks' } })
    await scanAll(store, { space: 'objects' }, { revision: 3 })
    await scanAll(store, { space: 'objects', prefix: [undefined, undefined, undefined, 'a'] })
    await store.get(object('a'), { revision: 3 })
    await store.count({ space: 'objects' })
    await store.statistics()
    sealer.generation = 2
    await store.rotate()
    await store.compact(await store.now())
    await restorePostgres({ url: place.url, schema: freshSchema(), snapshot: await store.snapshot() })
    await store.close()
    await restored(place)
    expect(await asRole('hykube', 'SELECT what FROM public.caught')).toEqual([])
  })

  it('no statement has an unqualified call', () => {
    // SQL keywords followed by a parenthesis, and table aliases of the statements.
    const syntax =
      /^(ANY|COALESCE|EXISTS|IN|OR|NOT|AND|AS|LATERAL|JOIN|FROM|OVER|VALUES|CONFLICT|walk|log|current|plain|writer|SELECT)$/
    for (const { name, text } of Object.values(createStatements('hykube')))
      for (const [, called] of text.matchAll(/(?<![\w.])(\w+) ?\(/g)) expect(called, name).toMatch(syntax)
  })
})

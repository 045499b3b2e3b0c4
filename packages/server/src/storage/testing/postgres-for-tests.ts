import { afterAll, beforeAll, describe } from 'vitest'
import { findPostgres, PostgresServer, type PostgresServerOptions } from './postgres-server.ts'

/**
 * Tests that need a PostgreSQL server; one is started for all of them. Where the machine has none they are skipped, and
 * the report shows the reason as the name of the skipped test.
 */
export function describeWithPostgres(
  name: string,
  tests: (server: () => PostgresServer) => void,
  options: Omit<PostgresServerOptions, 'bin'> = {},
): void {
  const search = findPostgres()
  if (search.kind === 'missing') {
    console.warn(`SKIPPED ${name}: ${search.reason}`)
    describe.skip(`${name} (${search.reason}) [needs postgres]`, () => tests(() => undefined as never))
    return
  }
  describe(name, () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await PostgresServer.start({ bin: search.bin, ...options })
    })
    afterAll(() => server.close())
    tests(() => server)
  })
}

let schemas = 0

/** A schema that no other test of this process uses. */
export function freshSchema(): string {
  return `test_${process.pid}_${++schemas}`
}

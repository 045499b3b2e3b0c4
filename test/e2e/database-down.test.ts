import { findPostgres, PostgresServer } from '@hykube/server/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../attacks/attacker.ts'
import { startServer, type TestServer } from './server.ts'

const search = findPostgres()
const missing = search.kind === 'missing' ? ` (${search.reason}) [needs postgres]` : ''
const configMaps = '/api/v1/namespaces/default/configmaps'

describe.skipIf(search.kind === 'missing')(`a server whose PostgreSQL is down${missing}`, () => {
  let database: PostgresServer
  let server: TestServer
  const get = (path: string) => send(server, { path, token: server.adminToken })

  beforeAll(async () => {
    database = await PostgresServer.start({ bin: search.kind === 'found' ? search.bin : '' })
    server = await startServer({ arguments: ['--store', database.url()] })
    await database.stop()
  })
  afterAll(async () => {
    await server.remove()
    await database.close()
  })

  test('answers reads with 503 within seconds, later ones at once, and recovers', async () => {
    const waits: number[] = []
    for (const path of [`${configMaps}/x`, configMaps, `${configMaps}/x`]) {
      const started = performance.now()
      const { status, document } = await get(path)
      waits.push(performance.now() - started)
      expect(status).toBe(503)
      expect(document).toMatchObject({ reason: 'ServiceUnavailable', message: expect.stringContaining('PostgreSQL') })
    }
    expect(waits[0]).toBeLessThan(9_000)
    expect(Math.max(...waits.slice(1))).toBeLessThan(3_000)
    await database.start()
    await expect.poll(async () => (await get(configMaps)).status).toBe(200)
  })
})

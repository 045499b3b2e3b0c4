import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../e2e/server.ts'
import { tokenOf } from './attacker.ts'
import { type AttackSession, openSession } from './session.ts'

let server: TestServer
let session: AttackSession

beforeAll(async () => {
  server = await startServer()
  session = openSession(server)
})
afterAll(async () => {
  session?.close()
  await server?.remove()
})

const metrics = async () => (await session.send({ path: '/metrics', token: server.adminToken })).text
const residentBytes = (text: string) => Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)![1])

test('hostile methods and resources grow neither the metrics nor the memory', { timeout: 60_000 }, async () => {
  const noRoles = await tokenOf(server, 'default/default')
  const before = await metrics()
  for (let round = 0; round < 60; round++)
    await Promise.all(
      Array.from({ length: 50 }, (_, at) => {
        const mark = `${round}-${at}`
        // Methods of 20 kB each were kept as labels, 60 MB in all.
        if (at % 2 === 0)
          return session.send({ method: `X${mark}${'M'.repeat(20_000)}`, path: '/api/v1/pods', token: 'wrong' })
        if (at % 4 === 1) return session.send({ path: `/apis/made-up-${mark}.example.com/v1/things-${mark}` })
        return session.send({ path: `/api/v1/namespaces/default/things-${mark}`, token: noRoles })
      }),
    )
  const after = await metrics()
  expect(after.length).toBeLessThan(before.length + 10_000)
  expect(after).not.toMatch(/MMM|things-|made-up/)
  expect(after).toMatch(/resource="unknown",code="403"/)
  expect(residentBytes(after) - residentBytes(before)).toBeLessThan(150 << 20)
})

test('requests without permission are counted, but bring no series for each resource', async () => {
  const { document } = await session.send({ path: '/api/v1', token: server.adminToken })
  for (const { name } of document.resources) await session.send({ path: `/api/v1/${name}` })
  expect(await metrics()).not.toContain('resource="limitranges"')
})

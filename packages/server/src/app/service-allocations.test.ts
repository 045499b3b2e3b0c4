import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestServer } from './testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await TestServer.open()
})

afterAll(() => server.close())

const path = '/api/v1/namespaces/default/services'
const service = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { selector: { a: 'b' }, ports: [{ port: 80 }], ...spec },
})

test('services that are created together share nothing', async () => {
  const names = Array.from({ length: 200 }, (_, at) => `s-${at}`)
  const answers = await Promise.all(names.map((name) => server.post(path, service(name, { type: 'NodePort' }))))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(answers.map(({ document }) => document.spec.clusterIP)).size).toBe(200)
  expect(new Set(answers.map(({ document }) => document.spec.ports[0].nodePort)).size).toBe(200)
})

test('of many who name one address, one gets it; the others are told so', async () => {
  const creates = Array.from({ length: 10 }, (_, at) =>
    server.post(path, service(`n-${at}`, { clusterIP: '10.96.3.3' })),
  )
  const answers = await Promise.all(creates)
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  const { document } = answers.find(({ status }) => status !== 201)!
  expect(document.message).toContain('failed to allocate IP 10.96.3.3: provided IP is already allocated')
  expect(document.code).toBe(422)
})

test('the address and ports of a service are free when it is gone, also by its last finalizer', async () => {
  const held = service('held', { clusterIP: '10.96.4.4' })
  await server.post(path, { ...held, metadata: { name: 'held', finalizers: ['example.com/x'] } })
  await server.delete(`${path}/held`)
  expect((await server.post(path, service('next', { clusterIP: '10.96.4.4' }))).status).toBe(422)
  await server.patch(`${path}/held`, { metadata: { finalizers: null } })
  expect((await server.post(path, service('next', { clusterIP: '10.96.4.4' }))).status).toBe(201)
})

test('an update moves from port to port', async () => {
  // Nobody else's ports are here.
  const alone = await TestServer.open()
  await alone.post(path, service('moving', { type: 'NodePort', ports: [{ port: 80, nodePort: 31_111 }] }))
  await alone.patch(`${path}/moving`, { spec: { ports: [{ port: 80, nodePort: 31_112 }] } })
  expect(
    (await alone.post(path, service('after', { type: 'NodePort', ports: [{ port: 80, nodePort: 31_111 }] }))).status,
  ).toBe(201)
  expect(
    (await alone.post(path, service('late', { type: 'NodePort', ports: [{ port: 80, nodePort: 31_112 }] }))).status,
  ).toBe(422)
  await alone.close()
})

test('an address stays', async () => {
  await server.post(path, service('staying', { clusterIP: '10.96.5.5' }))
  for (const clusterIP of ['10.96.5.6', '1.2.3.4']) {
    const { status, document } = await server.patch(`${path}/staying`, { spec: { clusterIP, clusterIPs: [clusterIP] } })
    expect([status, document.message]).toEqual([422, expect.stringContaining('may not change once set')])
  }
})

test('the range is the operator’s', async () => {
  const small = await TestServer.open({ serviceAddressRange: '10.0.0.0/24' })
  const { document } = await small.get(`${path}/kubernetes`)
  expect(document.spec.clusterIP).toBe('10.0.0.1')
  const given = await small.post(path, service('a'))
  expect(given.document.spec.clusterIP).toMatch(/^10\.0\.0\.\d+$/)
  await small.close()
  await expect(TestServer.open({ serviceAddressRange: '10.0.0.0/99' })).rejects.toThrow('--service-cluster-ip-range')
})

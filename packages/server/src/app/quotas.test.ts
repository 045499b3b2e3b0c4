import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, TestServer } from './testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await TestServer.open()
})

afterAll(() => server.close())

async function namespaceWith(name: string, hard: object, spec: object = {}): Promise<string> {
  await server.post('/api/v1/namespaces', { metadata: { name } })
  const path = `/api/v1/namespaces/${name}`
  await server.post(`${path}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard, ...spec } })
  await usage(path, (used) => expect(Object.keys(used).sort()).toEqual(Object.keys(hard).sort()))
  return path
}

function usage(path: string, check: (used: Record<string, string>) => void): Promise<void> {
  return eventually(async () => {
    const { document } = await server.get(`${path}/resourcequotas/q`)
    check(document.status.used ?? {})
  })
}

const configMap = (name: string) => ({ metadata: { name } })

test('a quota counts what is there already, and what comes', async () => {
  const path = await namespaceWith('counted', { 'count/configmaps': '3' })
  // kube-root-ca.crt is one of them, sooner or later.
  await usage(path, (used) => expect(used).toEqual({ 'count/configmaps': '1' }))
  expect((await server.post(`${path}/configmaps`, configMap('a'))).status).toBe(201)
  await usage(path, (used) => expect(used).toEqual({ 'count/configmaps': '2' }))
})

test('creates at the same time never exceed a quota, and what goes makes room', async () => {
  const path = await namespaceWith('crowded', { secrets: '10' })
  const creates = Array.from({ length: 40 }, (_, at) => server.post(`${path}/secrets`, configMap(`s-${at}`)))
  const answers = await Promise.all(creates)
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  const refused = answers.find(({ status }) => status !== 201)!
  expect(refused.document).toMatchObject({ code: 403, reason: 'Forbidden' })
  expect(refused.document.message).toMatch(
    /^secrets "s-\d+" is forbidden: exceeded quota: q, requested: secrets=1, used: secrets=10, limited: secrets=10$/,
  )
  const { document } = await server.get(`${path}/secrets`)
  expect(document.items).toHaveLength(10)
  await server.delete(`${path}/secrets/${document.items[0].metadata.name}`)
  await usage(path, (used) => expect(used).toEqual({ secrets: '9' }))
  expect((await server.post(`${path}/secrets`, configMap('again'))).status).toBe(201)
})

test('the usage of a dry run or a failed create is not counted', async () => {
  const path = await namespaceWith('tried', { secrets: '1' })
  expect((await server.post(`${path}/secrets?dryRun=All`, configMap('a'))).status).toBe(201)
  expect((await server.post(`${path}/secrets`, configMap('not a name'))).status).toBe(422)
  expect((await server.post(`${path}/secrets`, configMap('a'))).status).toBe(201)
  expect((await server.post(`${path}/secrets?dryRun=All`, configMap('b'))).status).toBe(403)
  expect((await server.post(`${path}/secrets`, configMap('a'))).status).toBe(403)
})

test('pods count by what they ask for, until they end', async () => {
  const path = await namespaceWith('compute', { pods: '5', 'requests.cpu': '1' })
  const pod = (name: string, resources: object) => ({
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i', resources }] },
  })
  const greedy = pod('greedy', { requests: { cpu: '800m' } })
  expect((await server.post(`${path}/pods`, greedy)).status).toBe(201)
  const second = await server.post(`${path}/pods`, pod('second', { requests: { cpu: '300m' } }))
  expect(second.document.message).toBe(
    'pods "second" is forbidden: exceeded quota: q, requested: requests.cpu=300m, used: requests.cpu=800m, limited: requests.cpu=1',
  )
  const silent = await server.post(`${path}/pods`, pod('silent', {}))
  expect(silent.document.message).toContain('failed quota: q: must specify requests.cpu for: c')
  await server.patch(`${path}/pods/greedy/status`, { status: { phase: 'Succeeded' } })
  await usage(path, (used) => expect(used).toEqual({ pods: '0', 'requests.cpu': '0' }))
})

test('limit ranges fill in and refuse', async () => {
  await server.post('/api/v1/namespaces', { metadata: { name: 'ranged' } })
  const path = '/api/v1/namespaces/ranged'
  const limits = [{ type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '500m' }, max: { cpu: '2' } }]
  await server.post(`${path}/limitranges`, { metadata: { name: 'r' }, spec: { limits } })
  const container = { name: 'c', image: 'i' }
  await eventually(async () => {
    const body = { metadata: { generateName: 'p-' }, spec: { containers: [container] } }
    const { document } = await server.post(`${path}/pods`, body)
    expect(document.spec.containers[0].resources).toEqual({ limits: { cpu: '1' }, requests: { cpu: '500m' } })
  })
  const large = {
    metadata: { name: 'large' },
    spec: { containers: [{ ...container, resources: { limits: { cpu: '3' } } }] },
  }
  const { status, document } = await server.post(`${path}/pods`, large)
  expect(status).toBe(403)
  expect(document.message).toBe('pods "large" is forbidden: maximum cpu usage per Container is 2, but limit is 3')
})

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { TestApi } from '@hykube/server/http/testing'
import { kindStub, kindsOf, providerTypes } from '@hykube/server/provider'
import { largeSchema, plainTemplates } from '@hykube/server/provider/testing'
import { openTestStore, type TestStore } from '@hykube/server/resource/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Cost limits for a provider of the size of the largest one. Times are processor time, with a margin for slower and
// busy machines.
const bounds = {
  milliseconds: 2000,
  megabytes: 100,
  documentBytes: 3_000_000,
  wholeBytes: 2_500_000,
  discoveryBytes: 140_000,
}

let store: TestStore
let api: TestApi
const measured: string[] = []

beforeAll(async () => {
  store = await openTestStore()
  api = await TestApi.open(store.store)
})
afterAll(async () => {
  console.log(measured.join('\n'))
  await store.close()
})

test('builds kinds, stubs and discovery from the schema within time and memory limits', async () => {
  const before = heap()
  const schema = largeSchema()
  const started = spent()
  const types = providerTypes({ provider: 'aws', schema, schemaHash: '1', templates: plainTemplates })
  const stub = { schemaHash: '1', owner: { name: 'aws', uid: 'u' }, since: '2026-01-01T00:00:00Z' }
  const stubs = kindsOf('aws', schema).map((kind) => JSON.stringify(kindStub(kind, stub)))
  api.api.types.serve('root', 'aws', types)
  const { document } = await api.get('/apis/aws.hykube.io/v1')
  const milliseconds = spent() - started
  const megabytes = heap() - before
  measured.push(`kinds, stubs, discovery: ${milliseconds.toFixed(0)} ms, ${megabytes.toFixed(1)} MB with the schema`)
  expect([types.length, stubs.length]).toEqual([2113, 2113])
  expect(document.resources.filter(({ name }: { name: string }) => !name.includes('/'))).toHaveLength(1506)
  expect(milliseconds).toBeLessThan(bounds.milliseconds)
  expect(megabytes).toBeLessThan(bounds.megabytes)
})

test('describes all kinds to kubectl in one small document', async () => {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
  const { document } = await api.get('/apis', { headers: { accept } })
  const text = JSON.stringify(document)
  const { length } = gzipSync(text)
  measured.push(`discovery: ${text.length} bytes, ${length} compressed`)
  expect(length).toBeLessThan(bounds.discoveryBytes)
})

test('builds the OpenAPI document of the group within limits and retains nothing else', async () => {
  const before = heap()
  const started = spent()
  const { document } = await api.get('/openapi/v3/apis/aws.hykube.io/v1')
  const milliseconds = spent() - started
  const bytes = JSON.stringify(document).length
  const definitions = Object.keys(document.components.schemas).length
  measured.push(`document: ${bytes} bytes, ${definitions} definitions, ${milliseconds.toFixed(0)} ms`)
  expect(bytes).toBeLessThan(bounds.documentBytes)
  expect(Object.keys(document.paths)).toHaveLength(1506)
  expect(heap() - before).toBeLessThan(bounds.megabytes)
})

test('includes only the names of a large group in the OpenAPI v2 document', async () => {
  const { document } = await api.get('/openapi/v2')
  const bytes = JSON.stringify(document).length
  measured.push(`document of version 2: ${bytes} bytes`)
  expect(bytes).toBeLessThan(bounds.wholeBytes)
  const kind = [{ group: 'aws.hykube.io', version: 'v1', kind: 'AwsGiantDashboard' }]
  expect(document.definitions['io.hykube.aws.v1.AwsGiantDashboard']).toEqual({
    type: 'object',
    'x-kubernetes-group-version-kind': kind,
  })
})

test('compiles any kind on first use within the limit', async () => {
  const started = spent()
  const object = { apiVersion: 'aws.hykube.io/v1', kind: 'AwsGiantDashboard', metadata: { name: 'a' }, spec: {} }
  const { status } = await api.post('/apis/aws.hykube.io/v1/namespaces/default/aws-giant-dashboards', object)
  const milliseconds = spent() - started
  measured.push(`first object of the largest kind: ${milliseconds.toFixed(0)} ms`)
  expect(status).toBe(201)
  expect(milliseconds).toBeLessThan(bounds.milliseconds)
})

/** Heap in use, in megabytes. */
function heap(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed / 2 ** 20
}

/** Processor time of this process, in milliseconds. */
function spent(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

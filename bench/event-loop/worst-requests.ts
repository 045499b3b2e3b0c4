import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock } from '@hykube/machinery/base'
import { DefinedTypes } from '@hykube/server/crd'
import { TestApi } from '@hykube/server/http/testing'
import { objectProtobuf } from '@hykube/server/kinds'
import { providerTypes } from '@hykube/server/provider'
import { largeSchema, plainTemplates } from '@hykube/server/provider/testing'
import { resourceSpaces } from '@hykube/server/resource'
import { openSqliteStore } from '@hykube/server/storage'
import { bucketBody, bucketDefinition, collection } from '../api/bucket.ts'
import { LoopProbe } from './loop-probe.ts'

/** Effect of a request on the event loop. */
export interface Blocking {
  readonly request: string
  readonly status: number
  /** Size of the request body in bytes. */
  readonly body: number
  /** Longest block of the loop, in milliseconds of processor time. */
  readonly longest: number
  /** Processor time of the event loop until the response was complete, in milliseconds. */
  readonly total: number
  /** Maximum allowed for `longest`. */
  readonly bound: number
}

export interface WorstLoad {
  /** Number of objects in a list. */
  readonly objects: number
  /** Size of a large body in bytes. */
  readonly large: number
}

/** Sends the most expensive requests one after the other to the complete API on SQLite, without sockets. */
export function worstRequests(
  { objects, large }: WorstLoad,
  report: (row: Blocking) => void = () => {},
): Promise<Blocking[]> {
  return withApi(async (api) => {
    const created = { index: 0 }
    const fill = async () => {
      while (created.index < objects) await api.send('POST', collection, { body: bucketBody(created.index++) })
    }
    await Promise.all(Array.from({ length: 64 }, fill))
    api.api.types.serve(
      'root',
      'aws',
      providerTypes({ provider: 'aws', schema: largeSchema(), schemaHash: '1', templates: plainTemplates }),
    )
    return measureAll(api, requests(large), report)
  }, bucketDefinition)
}

/** An API on SQLite without sockets that serves a definition. */
export async function withApi<T>(work: (api: TestApi) => Promise<T>, definition: typeof bucketDefinition): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-loop-'))
  const sealer = { seal: same, open: same, isCurrent: () => true }
  const store = await openSqliteStore({ file: join(directory, 'store'), spaces: resourceSpaces, sealer })
  try {
    const api = await TestApi.open(store)
    const { objects: stored, hub, types } = api.api
    const defined = await DefinedTypes.open({ objects: stored, hub, types, clock: systemClock, report: console.error })
    await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
    const { group, names } = definition.spec
    while ((await api.get(`/apis/${group}/v1/${names.plural}`)).status !== 200) await nextTurn()
    const result = await work(api)
    await defined.close()
    return result
  } finally {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

function same<T>(_key: unknown, _revision: unknown, bytes: T): T {
  return bytes
}

/** Sends requests one after the other, and measures what each does to the event loop. */
export async function measureAll(
  api: TestApi,
  requests: Iterable<Sent>,
  report: (row: Blocking) => void,
): Promise<Blocking[]> {
  const rows: Blocking[] = []
  for (const { name, method = 'GET', path, body, type, accept, gzip } of requests) {
    const bytes = body === undefined ? undefined : typeof body === 'string' ? Buffer.from(body) : body
    const headers = {
      ...(bytes === undefined ? {} : { 'content-length': String(bytes.length) }),
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(accept === undefined ? {} : { accept }),
      ...(gzip ? { 'accept-encoding': 'gzip' } : {}),
    }
    await nextTurn()
    const probe = new LoopProbe()
    await nextTurn()
    probe.take()
    probe.takeTotal()
    const status = await sent(api, method, path, bytes, headers)
    await nextTurn()
    await nextTurn()
    probe.stop()
    const length = bytes?.length ?? 0
    const bound = length > 0 && length <= 256 << 10 ? 20 : 50
    const row = { request: name, status, body: length, longest: probe.take(), total: probe.takeTotal(), bound }
    report(row)
    rows.push(row)
  }
  return rows
}

// Reads the response as a stream and discards it; a watch ends after its initial events.
async function sent(
  api: TestApi,
  method: string,
  path: string,
  body: Uint8Array | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const controller = new AbortController()
  const { signal } = controller
  const response = await api.ask(method, path, { body, headers, signal })
  if (response.body instanceof Uint8Array) return response.status
  const write = async (chunk: Uint8Array) => {
    if (Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).includes('initial-events-end')) controller.abort()
  }
  await response.body({ signal, pending: 0, write })
  return response.status
}

/** A request to be measured. */
export interface Sent {
  readonly name: string
  readonly method?: string
  readonly path: string
  readonly body?: string | Uint8Array
  readonly type?: string
  readonly accept?: string
  readonly gzip?: boolean
}

const small = 250 << 10
// Just below the maximum number of fields in an object.
const crowded = 750_000
const configmaps = '/api/v1/namespaces/default/configmaps'
const pods = '/api/v1/namespaces/default/pods'
const apply = 'application/apply-patch+yaml'

/** In order: later requests change objects that earlier ones created. */
function requests(large: number): Sent[] {
  const all: Sent[] = []
  for (const [size, bytes] of [
    ['small', small],
    ['crowded', Math.min(crowded, large)],
    ['large', large],
  ] as const) {
    const map = (name: string) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...data(bytes) })
    const named = (name: string) => `${name}-${size}`
    all.push(
      { name: 'create, JSON, many keys', method: 'POST', path: configmaps, body: map(named('json')) },
      {
        name: 'create, YAML',
        method: 'POST',
        path: configmaps,
        body: yaml(named('yaml'), bytes),
        type: 'application/yaml',
      },
      {
        name: 'create, protobuf',
        method: 'POST',
        path: configmaps,
        body: protobuf(named('protobuf'), bytes),
        type: 'application/vnd.kubernetes.protobuf',
      },
      { name: 'create, custom resource', method: 'POST', path: collection, body: bucket(named('custom'), bytes) },
      {
        name: 'create, strict, unknown fields',
        method: 'POST',
        path: `${collection}?fieldValidation=Strict`,
        body: unknownFields(named('unknown'), bytes),
      },
      { name: 'create, pod', method: 'POST', path: pods, body: pod(named('pod'), bytes) },
      {
        name: 'strategic merge patch',
        method: 'PATCH',
        path: `${pods}/${named('pod')}`,
        body: JSON.stringify({ metadata: { labels: { a: 'b' } }, spec: { tolerations: tolerations(bytes / 2) } }),
        type: 'application/strategic-merge-patch+json',
      },
      {
        name: 'merge patch',
        method: 'PATCH',
        path: `${configmaps}/${named('json')}`,
        body: JSON.stringify(data(bytes / 2, 'other')),
        type: 'application/merge-patch+json',
      },
      {
        name: 'JSON patch',
        method: 'PATCH',
        path: `${configmaps}/${named('yaml')}`,
        body: JSON.stringify(operations(Math.min(bytes / 60, 10_000))),
        type: 'application/json-patch+json',
      },
      {
        name: 'apply, creates',
        method: 'PATCH',
        path: `${configmaps}/${named('apply')}?fieldManager=a`,
        body: map(named('apply')),
        type: apply,
      },
      {
        name: 'apply, much is managed',
        method: 'PATCH',
        path: `${configmaps}/${named('apply')}?fieldManager=b&force=true`,
        body: map(named('apply')),
        type: apply,
      },
      {
        name: 'apply, custom resource',
        method: 'PATCH',
        path: `${collection}/${named('applied')}?fieldManager=a`,
        body: bucket(named('applied'), bytes),
        type: apply,
      },
      { name: 'get, pretty', path: `${configmaps}/${named('json')}?pretty=true` },
      { name: 'get, YAML', path: `${configmaps}/${named('json')}`, accept: 'application/yaml' },
    )
  }
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
  const discovery = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
  const watchList = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
  all.push(
    { name: 'list', path: collection },
    { name: 'list, gzip', path: collection, gzip: true },
    { name: 'list, Table', path: collection, accept: table },
    { name: 'list, selector', path: `${collection}?labelSelector=team%3Dteam-1` },
    { name: 'list, pretty', path: `${collection}?pretty=true` },
    { name: 'list, YAML', path: collection, accept: 'application/yaml' },
    { name: 'watch, initial events', path: `${collection}?${watchList}` },
    { name: 'watch, initial events, Table', path: `${collection}?${watchList}`, accept: table },
    { name: 'discovery, aggregated', path: '/apis', accept: discovery },
    { name: 'discovery, legacy', path: '/apis/aws.hykube.io/v1' },
    { name: 'OpenAPI v3', path: '/openapi/v3' },
    { name: 'OpenAPI v3, a provider', path: '/openapi/v3/apis/aws.hykube.io/v1' },
    {
      name: 'OpenAPI v3, protobuf',
      path: '/openapi/v3/apis/aws.hykube.io/v1',
      accept: 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf',
    },
    { name: 'OpenAPI v2', path: '/openapi/v2' },
    {
      name: 'OpenAPI v2, protobuf',
      path: '/openapi/v2',
      accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
    },
    { name: 'deletecollection', method: 'DELETE', path: collection },
  )
  return all
}

function data(bytes: number, prefix = 'key'): { data: Record<string, string> } {
  const entries: [string, string][] = []
  for (let length = 0, at = 0; length < bytes - 400; at++) {
    entries.push([`${prefix}-${at}`, `value-${at}`])
    length += `"${prefix}-${at}":"value-${at}",`.length
  }
  return { data: Object.fromEntries(entries) }
}

function yaml(name: string, bytes: number): string {
  const lines = Object.entries(data(bytes - bytes / 8).data).map(([key, value]) => `  ${key}: ${value}\n`)
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n${lines.join('')}`
}

function protobuf(name: string, bytes: number): Uint8Array {
  const codec = objectProtobuf('io.k8s.api.core.v1.ConfigMap')!
  return codec.encode({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...data(bytes) } as never)
}

function bucket(name: string, bytes: number): string {
  const { spec } = JSON.parse(Buffer.from(bucketBody(0)).toString())
  const rules = Array.from({ length: Math.floor(bytes / 52) - 20 }, (_, at) => ({
    prefix: `logs/${at}/`,
    days: 30,
    action: 'Expire',
  }))
  return JSON.stringify({
    apiVersion: 'bench.example.com/v1',
    kind: 'Bucket',
    metadata: { name },
    spec: { ...spec, rules },
  })
}

function unknownFields(name: string, bytes: number): string {
  const { data: fields } = data(bytes - 600)
  return JSON.stringify({
    apiVersion: 'bench.example.com/v1',
    kind: 'Bucket',
    metadata: { name },
    spec: { region: 'a', ...fields },
  })
}

function pod(name: string, bytes: number): string {
  const env = Array.from({ length: Math.floor(bytes / 48) - 20 }, (_, at) => ({
    name: `NAME_${at}`,
    value: `value-${at}`,
  }))
  const containers = [{ name: 'a', image: 'b', env }]
  return JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers } })
}

function tolerations(bytes: number): unknown[] {
  return Array.from({ length: Math.floor(bytes / 60) }, (_, at) => ({
    key: `key-${at}`,
    operator: 'Exists',
    effect: 'NoExecute',
  }))
}

function operations(count: number): unknown[] {
  return Array.from({ length: count }, (_, at) => ({ op: 'replace', path: `/data/key-${at}`, value: 'x' }))
}

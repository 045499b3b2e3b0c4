import fc from 'fast-check'
import type { FuzzRequest } from './fuzz-request.ts'
import { mutateBytes, randomFrom } from './mutate-bytes.ts'
import { protobufOf } from './protobuf-body.ts'
import { type FuzzedResource, fuzzedResources } from './resources.ts'

/** Requests of all kinds: most are nearly valid, so that they reach deep code; some are arbitrary. */
export function arbitraryRequest(): fc.Arbitrary<FuzzRequest> {
  return fc.oneof({ weight: 20, arbitrary: aboutResource }, { weight: 1, arbitrary: aboutAnything })
}

// Few names, so that requests hit each other's objects and the number of objects stays small.
const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const oddName = fc.oneof(
  name,
  fc.string({ maxLength: 300 }),
  fc.constantFrom('', '.', '..', 'A', 'a'.repeat(300), 'a\0b', '*', 'a/b'),
)
const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '0', '-1', '1e9', 'true', '${x}', '\ud800'),
)

// Values of wrong types in valid positions.
const anyValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 53,
    -(2 ** 63),
    1e308,
    '',
    'a',
    [],
    {},
    [null],
    [{}],
    { '': '' },
    { __proto__: 1 },
  ),
  oddText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('100m', '1Gi', '1e3', '50%', '2026-01-01T00:00:00Z', 'AAEC', '10.96.0.1', '1.2.3', '{}'),
)

const objectOf = (resource: FuzzedResource) =>
  fc
    .record({
      name: fc.oneof({ weight: 8, arbitrary: name }, { weight: 1, arbitrary: oddName }),
      also: sometimes(fc.dictionary(metadataField, anyValue, { maxKeys: 3 }), {}),
      changes: sometimes(fc.array(fc.record({ seed: fc.nat(), value: anyValue }), { maxLength: 4 }), []),
    })
    .map(({ name: given, also, changes }) => {
      const { apiVersion, kind, good } = resource
      let object: unknown = { apiVersion, kind, metadata: { name: given, ...also }, ...good }
      for (const { seed, value } of changes) object = replaced(object, value, randomFrom(seed))
      return object
    })

const metadataField = fc.constantFrom(
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'managedFields',
  'generateName',
  'uid',
  'resourceVersion',
  'namespace',
  'deletionTimestamp',
  'creationTimestamp',
  'generation',
  'selfLink',
  'deletionGracePeriodSeconds',
  'unknown',
)

// Mostly the valid value, so that the rest of the request is processed.
function sometimes<T>(arbitrary: fc.Arbitrary<T>, usual: T): fc.Arbitrary<T> {
  return fc.oneof({ weight: 2, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary })
}

// Replaces, adds or removes one value somewhere in the document.
function replaced(document: unknown, value: unknown, random: () => number): unknown {
  if (typeof document !== 'object' || document === null || random() < 0.15) return value
  if (Array.isArray(document)) {
    const at = Math.floor(random() * (document.length + 1))
    return document.toSpliced(at, random() < 0.8 ? 1 : 0, replaced(document[at], value, random))
  }
  const keys = Object.keys(document)
  const key = keys[Math.floor(random() * keys.length)] ?? 'unknown'
  if (random() < 0.1) return { ...document, [`${key}x`]: value }
  if (random() < 0.1) return Object.fromEntries(Object.entries(document).filter(([each]) => each !== key))
  return { ...document, [key]: replaced((document as Record<string, unknown>)[key], value, random) }
}

const pointer = fc.oneof(
  fc.constantFrom(
    '',
    '/',
    '/metadata/labels',
    '/metadata/name',
    '/spec',
    '/spec/replicas',
    '/data/k',
    '/metadata/finalizers/-',
    '/a~0b~1c',
    '/-',
    '/spec/template/spec/containers/0',
    '/__proto__/x',
    '/metadata/managedFields',
  ),
  fc
    .array(fc.constantFrom('a', 'spec', '0', '-', '~', '~2', '', 'metadata', 'labels'), { maxLength: 5 })
    .map((parts) => parts.map((part) => `/${part}`).join('')),
)
const jsonPatch = fc.array(
  fc.record(
    {
      op: fc.oneof(fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'), oddText),
      path: pointer,
      from: pointer,
      value: anyValue,
    },
    { requiredKeys: ['op', 'path'] },
  ),
  { maxLength: 6 },
)
const directive = fc.dictionary(
  fc.oneof(
    fc.constantFrom(
      '$patch',
      '$retainKeys',
      '$setElementOrder/containers',
      '$deleteFromPrimitiveList/finalizers',
      '$setElementOrder/',
      'spec',
      'metadata',
      'data',
      'containers',
      'template',
    ),
    oddText,
  ),
  fc.oneof(fc.constantFrom<unknown>('delete', 'replace', 'merge', 'explode', ['a'], [{ name: 'c' }]), anyValue),
  { maxKeys: 4 },
)
const patchOf = (resource: FuzzedResource): fc.Arbitrary<{ type: string; value: unknown }> =>
  fc.oneof(
    jsonPatch.map((value) => ({ type: 'application/json-patch+json', value })),
    objectOf(resource).map((value) => ({ type: 'application/merge-patch+json', value })),
    fc
      .oneof(objectOf(resource), directive, fc.record({ spec: directive, metadata: directive }))
      .map((value) => ({ type: 'application/strategic-merge-patch+json', value })),
    objectOf(resource).map((value) => ({ type: 'application/apply-patch+yaml', value })),
    anyValue.map((value) => ({ type: 'application/merge-patch+json', value })),
    anyValue.map((value) => ({ type: 'application/json-patch+json', value })),
  )

const token = fc.oneof(
  oddText,
  fc
    .record({
      v: fc.constantFrom<unknown>('meta.k8s.io/v1', 'x', 1),
      rv: fc.oneof(fc.integer(), fc.constantFrom<unknown>(-1, 1e300, 'x')),
      start: fc.constantFrom<unknown>('fuzz/a\0', 'a', '/\0', 7),
      c: oddText,
      n: anyValue,
    })
    .map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
)
const selector = fc.oneof(
  fc.constantFrom(
    'a=b',
    'a==b',
    'a!=b',
    'a in (b,c)',
    'a notin ()',
    '!a',
    'a,b',
    'a>1',
    'a<x',
    '(',
    'a in (',
    ',,',
    'metadata.name=a',
    'metadata.name!=a,metadata.namespace=fuzz',
    'status.phase=Pending',
    'spec.x=y',
    'a=b\\,c',
  ),
  oddText,
)
const version = fc.oneof(
  fc.constantFrom('', '0', '1', '-1', '01', '99999999', '18446744073709551615', 'x', '1.5'),
  fc.nat().map(String),
)
const parameters: Readonly<Record<string, fc.Arbitrary<string>>> = {
  limit: fc.oneof(fc.constantFrom('0', '1', '2', '-1', 'x', '99999999999999999999'), oddText),
  continue: token,
  resourceVersion: version,
  resourceVersionMatch: fc.constantFrom('Exact', 'NotOlderThan', 'x', ''),
  labelSelector: selector,
  fieldSelector: selector,
  watch: fc.constantFrom('true', '1', 'false', 'x', ''),
  timeoutSeconds: fc.constantFrom('0', '1', '-1', 'x', '1e9'),
  allowWatchBookmarks: fc.constantFrom('true', 'false', 'x'),
  sendInitialEvents: fc.constantFrom('true', 'false', 'x'),
  dryRun: fc.constantFrom('All', 'None', ''),
  fieldValidation: fc.constantFrom('Strict', 'Warn', 'Ignore', 'x'),
  fieldManager: fc.oneof(fc.constantFrom('one', 'two', 'x'.repeat(200)), oddText),
  force: fc.constantFrom('true', 'false', 'x'),
  pretty: fc.constantFrom('true', 'false', 'x'),
  includeObject: fc.constantFrom('None', 'Metadata', 'Object', 'x'),
  propagationPolicy: fc.constantFrom('Background', 'Foreground', 'Orphan', 'x'),
  gracePeriodSeconds: fc.constantFrom('0', '-1', 'x', '30'),
  orphanDependents: fc.constantFrom('true', 'false', 'x'),
}
const query = fc.array(
  fc.constantFrom(...Object.keys(parameters)).chain((key) => fc.tuple(fc.constant(key), parameters[key]!)),
  { maxLength: 4 },
)
const accept = fc.constantFrom(
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  '*/*',
  'application/vnd.kubernetes.protobuf,application/json',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=Nonsense;v=v9;g=x',
  'text/html',
  'application/json;q=0',
  ';;;',
  'application/json;q=x',
)
const headers = fc.oneof({ weight: 6, arbitrary: plainHeaders() }, { weight: 1, arbitrary: asOthers() })

function plainHeaders() {
  return fc.record(
    {
      accept,
      'user-agent': fc.constantFrom('kubectl/v1.36', 'curl/8', 'Mozilla/5', ''),
      'accept-encoding': fc.constantFrom('gzip', 'gzip;q=0', 'br, *'),
      'audit-id': fc.constantFrom('x', 'y'.repeat(500)),
    },
    { requiredKeys: [] },
  )
}

function asOthers() {
  return fc.record(
    {
      'impersonate-user': fc.constantFrom('u', 'system:serviceaccount:fuzz:a', ''),
      'impersonate-group': fc.constantFrom('g', 'system:masters'),
    },
    { requiredKeys: [] },
  )
}

interface Sent {
  readonly type: string
  readonly bytes: Uint8Array
}

const bodyOf = (resource: FuzzedResource): fc.Arbitrary<Sent> =>
  fc.oneof(
    { weight: 6, arbitrary: objectOf(resource).map((value) => asJson(value)) },
    {
      weight: 2,
      arbitrary: fc.tuple(objectOf(resource), fc.nat()).map(([value, seed]) => mutated(asJson(value), seed)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(objectOf(resource), fc.nat())
        .map(([value, seed]) => mutated({ ...asJson(value), type: 'application/yaml' }, seed)),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.nat(), fc.boolean()).map(([seed, plain]) => protobufBody(resource, seed, plain)),
    },
    { weight: 1, arbitrary: anyValue.map((value) => asJson(value)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ type: 'application/json', bytes })) },
  )

const aboutResource: fc.Arbitrary<FuzzRequest> = fc.constantFrom(...fuzzedResources).chain((resource) =>
  fc
    .record({
      verb: fc.oneof(
        { weight: 40, arbitrary: fc.constantFrom(...usualVerbs) },
        { weight: 1, arbitrary: fc.constant('odd') },
      ),
      place: fc.oneof({ weight: 9, arbitrary: name }, { weight: 1, arbitrary: oddName }),
      subresource: sometimes<string | null>(
        fc.oneof(
          { weight: 5, arbitrary: fc.constantFrom('', ...resource.subresources) },
          { weight: 1, arbitrary: oddText },
        ),
        null,
      ),
      query: fc.oneof({ weight: 3, arbitrary: fc.constant([] as [string, string][]) }, { weight: 2, arbitrary: query }),
      headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: headers }),
      body: bodyOf(resource),
      patch: patchOf(resource),
      deleteOptions: fc.option(
        fc.record(
          {
            preconditions: anyValue,
            propagationPolicy: anyValue,
            dryRun: anyValue,
            kind: anyValue,
            orphanDependents: anyValue,
          },
          { requiredKeys: [] },
        ),
      ),
    })
    .map((given) => requestFrom(resource, given as unknown as Given)),
)

const usualVerbs = [
  'create',
  'create',
  'create',
  'create',
  'update',
  'update',
  'patch',
  'patch',
  'patch',
  'get',
  'list',
  'list',
  'delete',
  'delete-collection',
]

interface Given {
  readonly verb: string
  readonly place: string
  readonly subresource: string | null
  readonly query: readonly (readonly [string, string])[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: Sent
  readonly patch: { readonly type: string; readonly value: unknown }
  readonly deleteOptions: unknown
}

const nothing: Sent = { type: '', bytes: new Uint8Array(0) }

function requestFrom(resource: FuzzedResource, given: Given): FuzzRequest {
  const one = `${resource.path}/${encodeSegment(given.place)}${given.subresource ? `/${encodeSegment(given.subresource)}` : ''}`
  const deletion = given.deleteOptions === null ? nothing : asJson(given.deleteOptions)
  const kinds: Readonly<Record<string, [string, string, Sent]>> = {
    create: ['POST', given.subresource ? one : resource.path, given.body],
    update: ['PUT', one, given.body],
    patch: ['PATCH', one, { type: given.patch.type, bytes: asJson(given.patch.value).bytes }],
    get: ['GET', one, nothing],
    list: ['GET', resource.path, nothing],
    delete: ['DELETE', one, deletion],
    'delete-collection': ['DELETE', resource.path, deletion],
    odd: ['OPTIONS', one, given.body],
  }
  const [method, path, sent] = kinds[given.verb]!
  const text = given.query.map(([key, value]) => `${key}=${encodeSegment(value)}`).join('&')
  return {
    method,
    path: text === '' ? path : `${path}?${text}`,
    headers: { ...(sent.type === '' ? {} : { 'content-type': sent.type }), ...given.headers },
    body: sent.bytes,
  }
}

const aboutAnything: fc.Arbitrary<FuzzRequest> = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'),
    start: fc.constantFrom(
      '',
      '/api',
      '/apis',
      '/api/v1',
      '/openapi/v2',
      '/openapi/v3',
      '/openapi/v3/apis/apps/v1',
      '/version',
      '/livez',
      '/metrics',
      '/clusters',
      '/clusters/root',
      '/clusters/*/api/v1/pods',
      '/apis/apps',
      '/.well-known/openid-configuration',
      '/openid/v1/jwks',
    ),
    rest: fc.array(oddText, { maxLength: 4 }),
    query,
    headers,
    body: fc.uint8Array({ maxLength: 50 }),
  })
  .map(({ method, start, rest, query: asked, headers: given, body }) => ({
    method,
    path: `${start || (rest.length === 0 ? '/' : '')}${rest.map((each) => `/${encodeSegment(each)}`).join('')}?${asked.map(([key, value]) => `${key}=${encodeSegment(value)}`).join('&')}`,
    headers: given as Record<string, string>,
    body: ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method) ? new Uint8Array(0) : body,
  }))

function asJson(value: unknown): Sent {
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify(value) ?? 'null') }
}

function mutated({ type, bytes }: Sent, seed: number): Sent {
  return { type, bytes: mutateBytes(bytes, randomFrom(seed)) }
}

function protobufBody({ apiVersion, kind, good }: FuzzedResource, seed: number, plain: boolean): Sent {
  const random = randomFrom(seed)
  const object = { apiVersion, kind, metadata: { name: 'abcdef'[seed % 6]! }, ...good }
  const bytes = protobufOf(object)
  return { type: 'application/vnd.kubernetes.protobuf', bytes: plain ? bytes : mutateBytes(bytes, random) }
}

// A lone surrogate has no encoding and is replaced.
function encodeSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

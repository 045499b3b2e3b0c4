import { type JsonValue, stringifyJson } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import type { RequestContext } from '../context.ts'
import type { Response, ResponseHeaders } from '../front/index.ts'
import { type AcceptedForm, type Media, mediaTypes, negotiate, type Offer } from '../negotiation.ts'
import { yamlFromJson } from '../yaml/yaml-text.ts'
import { indentJson, largeYaml, writeYaml } from '../yaml/yaml-work.ts'
import { partialMetadata } from './partial-metadata.ts'
import { hasProtobuf, protobufBytes } from './protobuf.ts'
import { includeObjectFrom, tableOf } from './table.ts'

const metaVersions = ['v1', 'v1beta1']

/** Negotiates the form of one object. */
export function formOfObject(type: ResourceType, context: RequestContext): AcceptedForm {
  return negotiate(acceptOf(context), offer(type, ['Table', 'PartialObjectMetadata']))
}

/** Negotiates the form of a list. */
export function formOfList(type: ResourceType, context: RequestContext): AcceptedForm {
  return negotiate(acceptOf(context), offer(type, listForms, streamed))
}

/** Negotiates the form of a watch. YAML has no streams. */
export function formOfWatch(type: ResourceType, context: RequestContext): AcceptedForm {
  const streams = ({ media, ...rest }: { readonly media: readonly Media[] }) => ({
    ...rest,
    media: media.filter((each) => each !== 'yaml'),
  })
  const { media, transformations = [] } = offer(type, listForms)
  return negotiate(acceptOf(context), {
    ...streams({ media }),
    transformations: transformations.map((each) => ({ ...each, ...streams({ media: each.media ?? media }) })),
  })
}

const listForms = ['Table', 'PartialObjectMetadataList', 'PartialObjectMetadata']

/** Creates the response for one object in the negotiated form. */
export function presentObject(
  type: ResourceType,
  object: KubernetesObject,
  form: AcceptedForm,
  context: RequestContext,
  status: number,
  now: number,
): Response {
  return encode(status, transformed(type, object, form, context, now), form, context)
}

/** Formats a large stored object as indented JSON or YAML on a thread, without parsing it on the event loop. */
export function presentLargeText(bytes: Uint8Array, media: 'json' | 'yaml'): Response {
  const headers: ResponseHeaders = { 'content-type': mediaTypes[media], 'cache-control': 'no-cache, private' }
  const write = media === 'yaml' ? writeYaml : indentJson
  const body: Response['body'] = async (writer) =>
    writer.write(Buffer.from(await write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString())))
  return { status: 200, headers, body, compressible: true }
}

/** Creates the response of an endpoint that stores nothing: no tables and no partial metadata. */
export function presentAnswer(document: object, context: RequestContext, status: number): Response {
  const media = hasProtobuf(document as KubernetesObject) ? all : text
  return encode(status, document, negotiate(acceptOf(context), { media }), context)
}

/** Encodes a document in the negotiated media type. */
export function encode(status: number, document: unknown, form: AcceptedForm, context: RequestContext): Response {
  const headers: ResponseHeaders = { 'content-type': mediaTypes[form.media], 'cache-control': 'no-cache, private' }
  return { status, headers, body: bodyOf(document, form, context), compressible: true }
}

function bodyOf(document: unknown, { media }: AcceptedForm, context: RequestContext): Response['body'] {
  if (media === 'protobuf') return protobufBytes(document as KubernetesObject)
  if (media === 'yaml') return yamlBody(JSON.stringify(document))
  return Buffer.from(
    wantsPretty(context) ? `${JSON.stringify(document, null, 2)}\n` : stringifyJson(document as JsonValue),
  )
}

function yamlBody(json: string): Response['body'] {
  if (json.length < largeYaml) return Buffer.from(yamlFromJson(json))
  return async (writer) => writer.write(Buffer.from(await writeYaml(json)))
}

/** True for indented output: requested by `pretty`, or by default for browsers and curl. */
export function wantsPretty({ request, query }: RequestContext): boolean {
  const pretty = query.get('pretty')
  if (pretty !== null) return pretty !== 'false' && pretty !== '0'
  return /^(curl|Wget|Mozilla)\//.test(request.header('user-agent')[0] ?? '')
}

function transformed(
  type: ResourceType,
  object: KubernetesObject,
  form: AcceptedForm,
  { query }: RequestContext,
  now: number,
): unknown {
  const { as } = form
  if (as === undefined) return object
  if (as.kind === 'PartialObjectMetadata') return partialMetadata(object, as.version)
  const { resourceVersion } = object.metadata ?? {}
  return tableOf(type, [object], { resourceVersion }, { version: as.version, include: includeObjectFrom(query), now })
}

// Partial metadata is available in protobuf for every kind, tables never are.
function offer(type: ResourceType, kinds: readonly string[], streams: readonly Media[] = []): Offer {
  const builtIn = type.protobuf !== undefined
  return {
    media: builtIn ? all : text,
    builtIn,
    streams,
    transformations: kinds.map((kind) => ({
      kind,
      group: 'meta.k8s.io',
      versions: metaVersions,
      media: kind === 'Table' ? text : all,
    })),
  }
}

const text: readonly Media[] = ['json', 'yaml']
const all: readonly Media[] = ['json', 'yaml', 'protobuf']
const streamed: readonly Media[] = ['json', 'protobuf']

/** Returns the Accept header; repeated headers are joined. */
export function acceptOf({ request }: Pick<RequestContext, 'request'>): string | undefined {
  const values = request.header('accept')
  return values.length === 0 ? undefined : values.join(',')
}

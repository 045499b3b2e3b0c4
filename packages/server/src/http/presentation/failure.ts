import { type JsonValue, stringifyJson } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { StatusError, statusFrom } from '@hykube/machinery/status'
import type { Response } from '../front/index.ts'
import { type Media, mediaTypes, negotiateFailure } from '../negotiation.ts'
import { yamlText } from '../yaml/yaml-text.ts'
import { protobufBytes } from './protobuf.ts'

/** Creates the response for an error: a Status in an accepted media type, with the headers of its reason. */
export function failure(error: unknown, accept: string | undefined, metadata: object = {}): Response {
  const status = StatusError.from(error)
  const { retryAfterSeconds } = status.details ?? {}
  const media = negotiateFailure(accept)
  return {
    status: status.code,
    headers: {
      'content-type': mediaTypes[media],
      'cache-control': 'no-cache, private',
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      ...(status.code === 401 ? { 'www-authenticate': 'Bearer realm="kubernetes"' } : {}),
      ...(status.code === 403 ? { 'x-content-type-options': 'nosniff' } : {}),
    },
    body: encoded({ ...statusFrom(status), metadata }, media),
  }
}

function encoded(document: object, media: Media): Uint8Array {
  if (media === 'protobuf') return protobufBytes(document as KubernetesObject)
  return Buffer.from(media === 'yaml' ? yamlText(document) : stringifyJson(document as JsonValue))
}

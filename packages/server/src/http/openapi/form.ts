import { StatusError } from '@hykube/machinery/status'
import { acceptedTypes } from '../negotiation.ts'

/** A representation of a document. */
export interface DocumentForm {
  readonly kind: 'json' | 'protobuf'
  readonly contentType: string
}

/** Negotiates the representation of an OpenAPI document; throws 406 when none is accepted. */
export function documentForm(accept: string | undefined, version: 'v2' | 'v3'): DocumentForm {
  if (accept === undefined || accept === '') return json
  for (const { type } of acceptedTypes(accept)) {
    if (type === json.contentType || type === '*/*' || type === 'application/*') return json
    if (protobufTypes(version).includes(type)) return { kind: 'protobuf', contentType: protobufTypes(version)[0]! }
  }
  const offered = [json.contentType, ...protobufTypes(version)].join(', ')
  throw new StatusError('NotAcceptable', `only the following media types are accepted: ${offered}`)
}

const json: DocumentForm = { kind: 'json', contentType: 'application/json' }

// Clients send the second spelling; the first is a valid media type and the one in responses.
function protobufTypes(version: 'v2' | 'v3'): string[] {
  return [
    `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`,
    `application/com.github.proto-openapi.spec.${version}@v1.0+protobuf`,
  ]
}

import { StatusError } from '@hykube/machinery/status'
import { acceptedTypes } from '../negotiation.ts'

/** A form that a document comes in. */
export interface DocumentForm {
  readonly kind: 'json' | 'protobuf'
  readonly contentType: string
}

/** The form of an OpenAPI document that an Accept header asks for; 406 when there is none. */
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

// The second spelling is what clients send; the first is a valid media type and what they get.
function protobufTypes(version: 'v2' | 'v3'): string[] {
  return [
    `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`,
    `application/com.github.proto-openapi.spec.${version}@v1.0+protobuf`,
  ]
}

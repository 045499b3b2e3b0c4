import { JsonError, JsonNumber, parseJson, parseJsonText } from '@hykube/machinery/json'
import { invalidValue, type KubernetesObject } from '@hykube/machinery/object'
import type { ObjectCodec, ResourceType } from '@hykube/machinery/resource-type'
import { badRequest, invalid, StatusError } from '@hykube/machinery/status'
import { mediaTypes, parseMediaType } from '../negotiation.ts'
import { apiVersionOf } from '../presentation/stored-form.ts'
import { jsonFromYaml } from '../yaml/json-from-yaml.ts'
import type { DecodedBody } from './decoded-body.ts'

// Objects with more fields than this could hardly be stored, and working on each field of them would hold everybody up.
const limits = { maximumMembers: 30_000 }

/** Decodes a body by its content type, JSON when there is none. 415 for types nobody reads here. */
export function decodeBody(bytes: Uint8Array, contentType: string | undefined, codec?: ObjectCodec): DecodedBody {
  const media = parseMediaType(contentType ?? mediaTypes.json).type
  switch (media) {
    case mediaTypes.json:
    case '':
      return decodeJson(bytes)
    case mediaTypes.yaml:
    case 'application/x-yaml':
      return decodeYaml(bytes)
    case mediaTypes.protobuf:
      return { value: decodeProtobuf(bytes, codec), duplicates: [] }
    default:
      throw unsupportedMediaType(Object.values(mediaTypes))
  }
}

/** Decodes the object of a type; what can't be read is 400, saying what was expected and how the body begins. */
export function decodeObject(bytes: Uint8Array, contentType: string | undefined, type: ResourceType): DecodedBody {
  try {
    return decodeBody(bytes, contentType, type.protobuf?.())
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== 'BadRequest') throw error
    const why = `couldn't get version/kind; json parse error: ${error.message}`
    throw badRequest(
      `the object provided is unrecognized (must be of type ${type.names.kind}): ${why} (${beginningOf(bytes)})`,
    )
  }
}

/** Decodes JSON, 400 when it is none. */
export function decodeJson(bytes: Uint8Array): DecodedBody {
  try {
    return parseJson(bytes, limits)
  } catch (error) {
    if (error instanceof JsonError) throw badRequest(error.message)
    throw error
  }
}

/** Decodes YAML, or JSON under that name, which is how kubectl sends it. */
export function decodeYaml(bytes: Uint8Array): DecodedBody {
  return bytes[0] === openBrace ? decodeJson(bytes) : parseJsonText(jsonFromYaml(bytes), limits)
}

/** An object of a type out of a document: it must be an object, and of that version and kind if it says any. */
export function requireObject(value: unknown, type: ResourceType): KubernetesObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest(`the object provided is unrecognized (must be of type ${type.names.kind}): it is no object`)
  const object = value as KubernetesObject
  const { apiVersion, kind } = typeOf(object)
  const expected = apiVersionOf(type)
  if (kind !== '' && kind !== type.names.kind && type.protobuf === undefined) throw anotherKind(object, kind, type)
  if (kind !== '' && kind !== type.names.kind)
    throw badRequest(
      `${kind} in version ${JSON.stringify(version(apiVersion))} cannot be handled as a ${type.names.kind}: converting (${kind}) to (${type.names.kind}): unknown conversion`,
    )
  if (apiVersion !== '' && apiVersion !== expected && type.protobuf !== undefined)
    throw badRequest(
      `${kind} in version ${JSON.stringify(version(apiVersion))} cannot be handled as a ${type.names.kind}: no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    )
  if (apiVersion !== '' && apiVersion !== expected)
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    )
  return apiVersion === expected && kind === type.names.kind
    ? object
    : { ...object, apiVersion: expected, kind: type.names.kind }
}

function anotherKind({ metadata }: KubernetesObject, kind: string, { group, names }: ResourceType): StatusError {
  return invalid({ group, kind }, metadata?.name ?? '', [invalidValue('kind', kind, `must be ${names.kind}`)])
}

/** What a document says of its version and kind, empty where it says nothing. 400 when that is no text. */
export function typeOf(document: object): { readonly apiVersion: string; readonly kind: string } {
  return { apiVersion: textIn(document, 'apiVersion'), kind: textIn(document, 'kind') }
}

function textIn(document: object, field: 'apiVersion' | 'kind'): string {
  const value: unknown = (document as Record<string, unknown>)[field] ?? ''
  if (typeof value === 'string') return value
  const got = Array.isArray(value)
    ? 'array'
    : typeof value === 'boolean'
      ? 'bool'
      : isNumber(value)
        ? 'number'
        : 'object'
  throw badRequest(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${got} into Go struct field .${field} of type string`,
  )
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || value instanceof JsonNumber
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = 'the body of the request was in an unknown format - accepted media types include'
  return new StatusError('UnsupportedMediaType', `${message}: ${accepted.join(', ')}`)
}

const openBrace = 0x7b

const shownBytes = 30

// Text that looks like JSON is shown as it is, anything else as hex digits.
function beginningOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>'
  const shown = Buffer.from(bytes.subarray(0, shownBytes))
  const text = shown.toString(bytes[0] === openBrace ? 'utf8' : 'hex')
  return bytes.length > shownBytes ? `${text} ...` : text
}

function decodeProtobuf(bytes: Uint8Array, codec: ObjectCodec | undefined): KubernetesObject {
  if (codec === undefined) throw unsupportedMediaType([mediaTypes.json, mediaTypes.yaml])
  try {
    const object = codec.decode(bytes, limits.maximumMembers)
    checkMembers(object)
    return object
  } catch (error) {
    throw badRequest(`couldn't decode the protobuf body: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function checkMembers(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const members = Object.values(value)
  if (members.length > limits.maximumMembers)
    throw new Error(`exceeded max of ${limits.maximumMembers} fields of one object, or objects in one list`)
  for (const member of members) if (typeof member === 'object') checkMembers(member)
}

function version(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1)
}

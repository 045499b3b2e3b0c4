import { messageOf } from '@hykube/machinery/base'
import { JsonError, JsonNumber, type JsonValue, jsonTypeOf, parseJson, parseJsonText } from '@hykube/machinery/json'
import { invalidValue, type KubernetesObject } from '@hykube/machinery/object'
import type { ObjectCodec, ResourceType } from '@hykube/machinery/resource-type'
import { badRequest, invalid, StatusError } from '@hykube/machinery/status'
import { internalPackageOf, isRegistered } from '../../kinds/index.ts'
import { mediaTypes, parseMediaType } from '../negotiation.ts'
import { apiVersionOf } from '../presentation/stored-form.ts'
import { jsonFromYaml } from '../yaml/json-from-yaml.ts'
import type { DecodedBody } from './decoded-body.ts'

// Decoding blocks the event loop in proportion to the number of values. Objects above these limits could hardly be
// stored.
const limits = { maximumMembers: 30_000, maximumValues: 200_000 }

/** Decodes a body by its content type; JSON is the default. Throws 415 for unsupported types. */
export function decodeBody(bytes: Uint8Array, contentType: string | undefined, codec?: ObjectCodec): DecodedBody {
  const media = parseMediaType(contentType ?? mediaTypes.json).type
  switch (media) {
    case mediaTypes.json:
    case '':
      return decodeDocument(bytes)
    case mediaTypes.yaml:
    case 'application/x-yaml':
      return decodeYaml(bytes)
    case mediaTypes.protobuf:
      return { value: decodeProtobuf(bytes, codec), duplicates: [] }
    default:
      throw unsupportedMediaType(Object.values(mediaTypes))
  }
}

/**
 * Decodes an object of a type. Throws 400 with the expected kind and the beginning of the body when it is malformed.
 */
export function decodeObject(bytes: Uint8Array, contentType: string | undefined, type: ResourceType): DecodedBody {
  try {
    const { value, duplicates } = decodeBody(bytes, contentType, type.protobuf?.())
    return { value: recognised(value as JsonValue, bytes, type), duplicates }
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== 'BadRequest') throw error
    const expected = `the object provided is unrecognized (must be of type ${type.names.kind})`
    throw badRequest(`${expected}: ${error.message} (${beginningOf(bytes)})`)
  }
}

function recognised(value: JsonValue, bytes: Uint8Array, { requiresKindInBody = false }: ResourceType): JsonValue {
  if (value !== null && !isObject(value)) throw noVersionOrKind(value)
  const { apiVersion, kind } = typeOf(value ?? {})
  if (apiVersion.split('/').length > 2) throw badRequest(`unexpected GroupVersion string: ${apiVersion}`)
  if (kind === '' && requiresKindInBody) throw badRequest(`Object 'Kind' is missing in '${shown(bytes)}'`)
  return value ?? {}
}

function decodeDocument(bytes: Uint8Array): DecodedBody {
  try {
    return parseJson(bytes, limits)
  } catch (error) {
    throw error instanceof JsonError ? unreadable(error.message) : error
  }
}

/** Decodes JSON; throws 400 when it is invalid. */
export function decodeJson(bytes: Uint8Array): DecodedBody {
  try {
    return parseJson(bytes, limits)
  } catch (error) {
    if (error instanceof JsonError) throw badRequest(error.message)
    throw error
  }
}

/** Decodes YAML, or JSON with the YAML content type, which kubectl sends. */
export function decodeYaml(bytes: Uint8Array): DecodedBody {
  return bytes[0] === openBrace ? decodeJson(bytes) : parseJsonText(jsonFromYaml(bytes), limits)
}

/**
 * Checks that a document is an object with the apiVersion and kind of the type. Some types allow both to be missing.
 */
export function requireObject(value: unknown, type: ResourceType): KubernetesObject {
  if (!isObject(value)) throw noVersionOrKind(value as JsonValue)
  const object = value as KubernetesObject
  const given = typeOf(object)
  const expected = apiVersionOf(type)
  const { kind } = type.names
  if (given.apiVersion === expected && given.kind === kind) return object
  if (type.protobuf !== undefined) checkHandled(given.apiVersion || expected, given.kind || kind, type)
  else if (given.apiVersion !== expected && (type.requiresKindInBody || given.apiVersion !== ''))
    throw anotherVersion(given.apiVersion, expected)
  else if (given.kind !== '' && given.kind !== kind) throw anotherKind(object, given.kind, type)
  return { ...object, apiVersion: expected, kind }
}

function checkHandled(apiVersion: string, kind: string, type: ResourceType): void {
  const expected = apiVersionOf(type)
  if (apiVersion === expected && kind === type.names.kind) return
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1)
  const refused = `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${type.names.kind}`
  if (!isRegistered(apiVersion, kind, type.group)) throw badRequest(`${refused}: ${notRegistered(apiVersion, kind)}`)
  if (kind === type.names.kind) throw anotherVersion(apiVersion, expected)
  const internal = `${internalPackageOf(type.group)}.${type.names.kind}`
  throw badRequest(`${refused}: converting (${version}.${kind}) to (${internal}): unknown conversion`)
}

/** Kubernetes' message for a kind that is unknown in a version. */
export function notRegistered(apiVersion: string, kind: string): string {
  return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`
}

/** Error for a document that is not an object. */
export function noVersionOrKind(value: JsonValue): StatusError {
  const wanted =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
  return unreadable(`json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type ${wanted}`)
}

function unreadable(why: string): StatusError {
  return badRequest(`couldn't get version/kind; json parse error: ${why}`)
}

function anotherVersion(given: string, expected: string): StatusError {
  return badRequest(`the API version in the data (${given}) does not match the expected API version (${expected})`)
}

function anotherKind({ metadata }: KubernetesObject, kind: string, { group, names }: ResourceType): StatusError {
  return invalid({ group, kind }, metadata?.name ?? '', [invalidValue('kind', kind, `must be ${names.kind}`)])
}

/** Returns apiVersion and kind of a document, empty when missing. Throws 400 when one is not a string. */
export function typeOf(document: object): { readonly apiVersion: string; readonly kind: string } {
  return { apiVersion: textIn(document, 'apiVersion'), kind: textIn(document, 'kind') }
}

function textIn(document: object, field: 'apiVersion' | 'kind'): string {
  const value: JsonValue = (document as Record<string, JsonValue>)[field] ?? ''
  if (typeof value === 'string') return value
  throw unreadable(`json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field .${field} of type string`)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = 'the body of the request was in an unknown format - accepted media types include'
  return new StatusError('UnsupportedMediaType', `${message}: ${accepted.join(', ')}`)
}

// Error messages show at most the beginning of a large body.
function shown(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, longestShown)).toString()
  return bytes.length > longestShown ? `${text} ...` : text
}

const longestShown = 4096
const openBrace = 0x7b
const shownBytes = 30

// Shows text that looks like JSON as it is, anything else as hex digits.
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
    throw badRequest(`couldn't decode the protobuf body: ${messageOf(error)}`)
  }
}

// Counts the members of embedded JSON fields too, which the codec's limits leave out.
function checkMembers(value: unknown, count = { values: 0 }): void {
  if (typeof value !== 'object' || value === null) return
  const members = Object.values(value)
  count.values += members.length
  if (members.length > limits.maximumMembers || count.values > limits.maximumValues)
    throw new Error(`exceeded max of ${limits.maximumMembers} fields of one object, or objects in one list`)
  for (const member of members) if (typeof member === 'object') checkMembers(member, count)
}

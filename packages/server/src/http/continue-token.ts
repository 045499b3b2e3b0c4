import { isJsonObject, JsonError, type JsonValue, jsonTypeOf, parseJson } from '@hykube/machinery/json'
import { badRequest } from '@hykube/machinery/status'

/** Where a list goes on: the revision it is read at (-1: whatever is newest) and the last object given. */
export interface ContinueToken {
  readonly revision: number
  /** Tells where a list across all clusters goes on; any other stays in its own. */
  readonly cluster: string
  readonly namespace: string
  readonly name: string
  /** How many items the pages so far held, for the count of what remains. */
  readonly before: number
}

/** The token as clients carry it: base64url without padding of a small JSON document, as in Kubernetes. */
export function continueTokenToText({ revision, cluster, namespace, name, before }: ContinueToken): string {
  const document = { v: 'meta.k8s.io/v1', rv: revision, start: `${namespace}/${name}\0`, c: cluster, n: before }
  return Buffer.from(JSON.stringify(document)).toString('base64url')
}

/** Reads a token. The place it names is looked for inside of the list's own range, so it can lead nowhere else. */
export function continueTokenFromText(text: string): ContinueToken {
  const { v, rv, start, c, n } = readDocument(text)
  if (v !== 'meta.k8s.io/v1') throw invalidToken(`server does not recognize this encoded version ${v ?? ''}`)
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv < -1 || rv === 0)
    throw invalidToken('incorrect encoded start resourceVersion (version meta.k8s.io/v1)')
  const match = typeof start === 'string' ? /^([^/]*)\/([^\0]*)\0$/s.exec(start) : null
  if (match === null) throw invalidToken('encoded start key was invalid')
  return {
    revision: rv,
    cluster: typeof c === 'string' ? c : '',
    namespace: match[1]!,
    name: match[2]!,
    before: typeof n === 'number' && n > 0 ? n : 0,
  }
}

function readDocument(text: string): Record<string, unknown> {
  const unfit = /[^\w-]/.exec(text)
  const illegal = unfit?.index ?? (text.length % 4 === 1 ? text.length - 1 : undefined)
  if (illegal !== undefined) throw invalidToken(`illegal base64 data at input byte ${illegal}`)
  const document = readJson(Buffer.from(text, 'base64url')) ?? {}
  if (!isJsonObject(document))
    throw invalidToken(`json: cannot unmarshal ${jsonTypeOf(document)} into Go value of type storage.continueToken`)
  return document
}

function readJson(bytes: Buffer): JsonValue {
  // Go reads bytes, and names the first one that is none of JSON's.
  const [first = 0] = bytes
  if (first >= 0x80) throw invalidToken(`invalid character '${goCharacter(first)}' looking for beginning of value`)
  try {
    return parseJson(bytes).value
  } catch (error) {
    throw error instanceof JsonError ? invalidToken(error.message) : error
  }
}

function goCharacter(byte: number): string {
  return byte < 0xa0 || byte === 0xad ? `\\u00${byte.toString(16)}` : String.fromCharCode(byte)
}

function invalidToken(why: string) {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`)
}

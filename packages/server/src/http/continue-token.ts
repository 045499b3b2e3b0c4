import { isJsonObject, JsonError, type JsonValue, jsonTypeOf, parseJson } from '@hykube/machinery/json'
import { badRequest } from '@hykube/machinery/status'

/** Position in a list: the revision that the list is read at (-1 means the newest) and the last object returned. */
export interface ContinueToken {
  readonly revision: number
  /** Used only by lists across all clusters; other lists stay in their own cluster. */
  readonly cluster: string
  readonly namespace: string
  readonly name: string
  /** The group and resource of the object, in lists over several resources. */
  readonly source?: { readonly group: string; readonly resource: string }
  /** Number of items in the pages so far, to compute `remainingItemCount`. */
  readonly before: number
}

/** Encodes the token as in Kubernetes: base64url without padding of a small JSON document. */
export function continueTokenToText({ revision, cluster, namespace, name, source, before }: ContinueToken): string {
  const place = { start: `${namespace}/${name}\0`, c: cluster, g: source?.group, r: source?.resource }
  const document = { v: 'meta.k8s.io/v1', rv: revision, ...place, n: before }
  return Buffer.from(JSON.stringify(document)).toString('base64url')
}

/**
 * Decodes a token. Its position is only used inside the range of the list, so a forged token cannot reach other
 * objects.
 */
export function continueTokenFromText(text: string): ContinueToken {
  const { v, rv, start, c, g, r, n } = readDocument(text)
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
    ...(typeof g === 'string' && typeof r === 'string' && { source: { group: g, resource: r } }),
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
  // Go's error names the first byte that is not valid JSON.
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

import type { HeaderField } from '../hpack/index.ts'

/** Parsed pseudo-headers and length of a request. */
export interface RequestHead {
  readonly method: string
  /** Path and query exactly as sent. */
  readonly target: string
  /** Undefined without a content-length header. */
  readonly contentLength: number | undefined
}

/**
 * Validates the headers of a request by RFC 9113, section 8. Returns undefined when a rule is broken; such a request is
 * malformed and must not be processed.
 */
export function requestHead(fields: readonly HeaderField[]): RequestHead | undefined {
  let method: string | undefined
  let target: string | undefined
  let scheme: string | undefined
  let authority: string | undefined
  let host: string | undefined
  let length: string | undefined
  let regular = false
  for (const [name, value] of fields) {
    if (!isValue(value)) return undefined
    if (name.charCodeAt(0) === colon) {
      if (regular) return undefined
      if (name === ':method' && method === undefined) method = value
      else if (name === ':path' && target === undefined) target = value
      else if (name === ':scheme' && scheme === undefined) scheme = value
      else if (name === ':authority' && authority === undefined) authority = value
      else return undefined
      continue
    }
    regular = true
    if (!isName(name) || isForbidden(name, value)) return undefined
    if (name === 'content-length') {
      if (length !== undefined && length !== value) return undefined
      length = value
    } else if (name === 'host') {
      if (host !== undefined && host !== value) return undefined
      host = value
    }
  }
  if (method === undefined || !token.test(method) || scheme === undefined || !isTarget(target, method)) return undefined
  if (!isAuthority(authority) || !isAuthority(host)) return undefined
  if (authority !== undefined && host !== undefined && authority !== host) return undefined
  if (length !== undefined && !/^\d{1,15}$/.test(length)) return undefined
  return { method, target, contentLength: length === undefined ? undefined : Number(length) }
}

/** Returns true when fields are allowed as trailers: no pseudo-headers, no connection headers. */
export function areTrailers(fields: readonly HeaderField[]): boolean {
  return fields.every(([name, value]) => isName(name) && isValue(value) && !isForbidden(name, value))
}

const colon = 58
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const lowerCaseToken = /^[!#$%&'*+.^_`|~0-9a-z-]+$/

// Cache of valid names, because peers send few different ones. Bounded, so that an attacker can't fill the memory.
const names = new Set<string>()

function isName(name: string): boolean {
  if (names.has(name)) return true
  if (!lowerCaseToken.test(name)) return false
  if (names.size < 1000 && name.length < 64) names.add(name)
  return true
}

// Rejects control characters, which could end a line when a proxy translates to HTTP/1, and surrounding white space.
function isValue(value: string): boolean {
  return plainValue.test(value) && !isSpace(value.charCodeAt(0)) && !isSpace(value.charCodeAt(value.length - 1))
}

const plainValue = /^[^\x00-\x08\x0a-\x1f\x7f]*$/

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09
}

// Connection-specific headers of HTTP/1 are malformed in HTTP/2 and enable request smuggling through proxies.
function isForbidden(name: string, value: string): boolean {
  switch (name) {
    case 'connection':
    case 'keep-alive':
    case 'proxy-connection':
    case 'transfer-encoding':
    case 'upgrade':
      return true
    case 'te':
      return value !== 'trailers'
    default:
      return false
  }
}

function isTarget(target: string | undefined, method: string): target is string {
  if (target === undefined) return false
  return target.charCodeAt(0) === 0x2f ? !target.includes('#') : target === '*' && method === 'OPTIONS'
}

function isAuthority(authority: string | undefined): boolean {
  return authority === undefined || /^[^\s@/?#\\]*$/.test(authority)
}

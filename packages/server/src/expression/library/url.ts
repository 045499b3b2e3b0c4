import { type Overload, overloadsOf } from '../cel/check/functions.ts'
import { libraryTypes } from '../cel/check/type-text.ts'
import { EvaluationFailure, LibraryValue } from '../cel/evaluate/values.ts'

/** Kubernetes' URL library: `url("https://example.com:80/a?b=c").getHost()`. */
export function urlFunctions(): Overload[] {
  return overloadsOf({
    'url(string): URL': (text: string) => {
      const url = urlFromText(text)
      if (url === undefined)
        throw new EvaluationFailure(
          `URL parse error during conversion from string: parse "${text}": invalid URI for request`,
        )
      return url
    },
    'isURL(string): bool': (text: string) => urlFromText(text) !== undefined,
    'URL.getScheme(): string': (url: CelUrl) => url.scheme,
    'URL.getHost(): string': (url: CelUrl) => url.host,
    'URL.getHostname(): string': (url: CelUrl) => url.host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1'),
    'URL.getPort(): string': (url: CelUrl) => /:(\d*)$/.exec(url.host)?.[1] ?? '',
    'URL.getEscapedPath(): string': (url: CelUrl) => url.path,
    'URL.getQuery(): map<string, list<string>>': (url: CelUrl) => queryOf(url),
  })
}

class CelUrl extends LibraryValue {
  readonly type = libraryTypes.URL
  readonly text: string
  readonly scheme: string
  readonly host: string
  readonly path: string
  readonly query: string

  constructor(text: string, scheme: string, host: string, path: string, query: string) {
    super()
    this.text = text
    this.scheme = scheme
    this.host = host
    this.path = path
    this.query = query
  }

  override equals(other: CelUrl): boolean {
    return this.text === other.text
  }
}

const absolute = /^([a-zA-Z][a-zA-Z0-9+.-]*):\/\/(?:[^/?#@]*@)?([^/?#\s]*)(\/[^?#\s]*)?(?:\?(\S*))?$/
const rooted = /^(\/[^?#\s]*)(?:\?(\S*))?$/

function urlFromText(text: string): CelUrl | undefined {
  const whole = absolute.exec(text)
  if (whole !== null) return new CelUrl(text, whole[1]!.toLowerCase(), whole[2] ?? '', whole[3] ?? '', whole[4] ?? '')
  const path = rooted.exec(text)
  return path === null ? undefined : new CelUrl(text, '', '', path[1]!, path[2] ?? '')
}

function queryOf({ query }: CelUrl): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(query)) values.set(name, [...(values.get(name) ?? []), value])
  return values
}

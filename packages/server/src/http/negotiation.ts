import { StatusError } from '@hykube/machinery/status'

/** The form a client wants its answer in. */
export interface AcceptedForm {
  readonly media: Media
  /** The transformation asked for, with its version. */
  readonly as?: { readonly kind: string; readonly group: string; readonly version: string }
}

export type Media = 'json' | 'yaml' | 'protobuf'

/** What an endpoint can answer with. */
export interface Offer {
  readonly media: readonly Media[]
  /** Whether it is a kind of Kubernetes' own, which refuses other media types in words of its own. Default false. */
  readonly builtIn?: boolean
  /** The media types it has streams in. Default none. */
  readonly streams?: readonly Media[]
  /** Kinds of meta.k8s.io (or apidiscovery.k8s.io) it can turn its answer into, with the versions it knows. */
  readonly transformations?: readonly {
    readonly kind: string
    readonly group: string
    readonly versions: readonly string[]
    /** The media types it goes out in. Default: those of the endpoint. */
    readonly media?: readonly Media[]
  }[]
}

export const mediaTypes: Readonly<Record<Media, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
}

/** The first form in an Accept header that the offer can satisfy; 406 when there is none. */
export function negotiate(accept: string | undefined, offer: Offer): AcceptedForm {
  const first = { media: offer.media[0]! }
  if (accept === undefined || accept === '') return first
  for (const clause of acceptedTypes(accept)) {
    const form = satisfy(clause, offer)
    if (form !== undefined) return form
  }
  throw notAcceptable(accept, offer)
}

/** The form for a failure: failures are told to everybody, in JSON to whoever accepts nothing that is known. */
export function negotiateFailure(accept: string | undefined): Media {
  for (const { type, parameters } of acceptedTypes(accept ?? '')) {
    const media = parameters.as === undefined ? mediaFor(type, ['json', 'yaml', 'protobuf']) : undefined
    if (media !== undefined) return media
  }
  return 'json'
}

/** The media type and parameters of a header, names in lower case. */
export function parseMediaType(text: string): Clause {
  const [type = '', ...parts] = text.split(';')
  const parameters: Record<string, string> = {}
  for (const part of parts) {
    const equals = part.indexOf('=')
    if (equals > 0) parameters[part.slice(0, equals).trim().toLowerCase()] = unquote(part.slice(equals + 1).trim())
  }
  return { type: type.trim().toLowerCase(), parameters }
}

/** What an Accept header asks for, the best first. */
export function acceptedTypes(accept: string): readonly Clause[] {
  // Clients send a handful of different headers, all day long.
  let clauses = parsed.get(accept)
  if (clauses === undefined) {
    clauses = accept
      .split(',')
      .map(parseMediaType)
      .map((clause, at) => ({ clause, at, quality: Number(clause.parameters.q ?? 1) }))
      .filter(({ quality }) => quality > 0)
      .sort((a, b) => b.quality - a.quality || a.at - b.at)
      .map(({ clause }) => clause)
    if (parsed.size >= 1000) parsed.clear()
    parsed.set(accept, clauses)
  }
  return clauses
}

const parsed = new Map<string, readonly Clause[]>()

interface Clause {
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
}

function satisfy({ type, parameters }: Clause, offer: Offer): AcceptedForm | undefined {
  const { as: kind, g: group, v: version } = parameters
  if (kind === undefined) {
    const media = mediaFor(type, offer.media)
    return media === undefined ? undefined : { media }
  }
  const known = offer.transformations?.find((each) => each.kind === kind && each.group === group)
  if (known === undefined || version === undefined || !known.versions.includes(version)) return undefined
  const media = mediaFor(type, known.media ?? offer.media)
  return media === undefined ? undefined : { media, as: { kind, group: known.group, version } }
}

function mediaFor(wanted: string, offered: readonly Media[]): Media | undefined {
  return offered.find((candidate) => matches(wanted, mediaTypes[candidate]))
}

function matches(wanted: string, offered: string): boolean {
  return wanted === offered || wanted === '*/*' || (wanted.endsWith('/*') && offered.startsWith(wanted.slice(0, -1)))
}

function notAcceptable(accept: string, { media, builtIn = false, streams = [] }: Offer): StatusError {
  const list = media.map((each) => mediaTypes[each])
  // Kubernetes asks twice: for the media type alone, and then for what shall be in it.
  if (!builtIn || acceptedTypes(accept).some(({ type }) => mediaFor(type, media) !== undefined))
    return new StatusError('NotAcceptable', `only the following media types are accepted: ${list.join(', ')}`)
  const all = [...list, ...streams.map((each) => `${mediaTypes[each]};stream=watch`)].join(', ')
  const message = `406: Not Acceptable\n\nAvailable representations: ${all}`
  return new StatusError('NotAcceptable', message, { details: {} })
}

function unquote(text: string): string {
  return text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
}

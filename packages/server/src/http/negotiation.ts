import { BoundedMap } from '@hykube/machinery/base'
import { StatusError } from '@hykube/machinery/status'

/** A form of response that a client accepts. */
export interface AcceptedForm {
  readonly media: Media
  /** Requested transformation, such as a Table, with its version. */
  readonly as?: { readonly kind: string; readonly group: string; readonly version: string }
}

export type Media = 'json' | 'yaml' | 'protobuf'

/** The forms that an endpoint can respond with. */
export interface Offer {
  readonly media: readonly Media[]
  /** True for a built-in kind of Kubernetes: its 406 has another message. Default false. */
  readonly builtIn?: boolean
  /** Media types available for streams. Default: none. */
  readonly streams?: readonly Media[]
  /** Kinds of meta.k8s.io (or apidiscovery.k8s.io) that the response can be converted to, with the known versions. */
  readonly transformations?: readonly {
    readonly kind: string
    readonly group: string
    readonly versions: readonly string[]
    /** Media types of the transformed response. Default: those of the endpoint. */
    readonly media?: readonly Media[]
  }[]
}

export const mediaTypes: Readonly<Record<Media, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
}

/** Returns the first form in an Accept header that the offer has; throws 406 when there is none. */
export function negotiate(accept: string | undefined, offer: Offer): AcceptedForm {
  const first = { media: offer.media[0]! }
  if (accept === undefined || accept === '') return first
  for (const clause of acceptedTypes(accept)) {
    const form = satisfy(clause, offer)
    if (form !== undefined) return form
  }
  throw notAcceptable(accept, offer)
}

/** Media type for an error. It never fails: a client that accepts no known type gets JSON. */
export function negotiateFailure(accept: string | undefined): Media {
  for (const { type, parameters } of acceptedTypes(accept ?? '')) {
    const media = parameters.as === undefined ? mediaFor(type, ['json', 'yaml', 'protobuf']) : undefined
    if (media !== undefined) return media
  }
  return 'json'
}

/** Parses a media type with its parameters; names become lower case. */
export function parseMediaType(text: string): Clause {
  const [type = '', ...parts] = text.split(';')
  const parameters: Record<string, string> = {}
  for (const part of parts) {
    const equals = part.indexOf('=')
    if (equals > 0) parameters[part.slice(0, equals).trim().toLowerCase()] = unquote(part.slice(equals + 1).trim())
  }
  return { type: type.trim().toLowerCase(), parameters }
}

/** Parses an Accept header; the most preferred type comes first. */
export function acceptedTypes(accept: string): readonly Clause[] {
  // Clients send only a few different headers, so the parsed ones are cached.
  let clauses = parsed.get(accept)
  if (clauses === undefined) {
    clauses = accept
      .split(',')
      .map(parseMediaType)
      .map((clause, at) => ({ clause, at, quality: Number(clause.parameters.q ?? 1) }))
      .filter(({ quality }) => quality > 0)
      .sort((a, b) => b.quality - a.quality || a.at - b.at)
      .map(({ clause }) => clause)
    parsed.set(accept, clauses)
  }
  return clauses
}

const parsed = new BoundedMap<string, readonly Clause[]>(1000)

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
  // Kubernetes distinguishes an unacceptable media type from an unacceptable transformation.
  if (!builtIn || acceptedTypes(accept).some(({ type }) => mediaFor(type, media) !== undefined))
    return new StatusError('NotAcceptable', `only the following media types are accepted: ${list.join(', ')}`)
  const all = [...list, ...streams.map((each) => `${mediaTypes[each]};stream=watch`)].join(', ')
  const message = `406: Not Acceptable\n\nAvailable representations: ${all}`
  return new StatusError('NotAcceptable', message, { details: {} })
}

function unquote(text: string): string {
  return text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
}

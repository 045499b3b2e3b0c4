import { badRequest, invalid, type StatusCause, type StatusError } from '@hykube/machinery/status'

/** Options of a list or watch, validated by Kubernetes' rules. */
export interface ListOptions {
  readonly labelSelector: string
  readonly fieldSelector: string
  /** Empty means the newest. */
  readonly resourceVersion: string
  readonly match: 'NotOlderThan' | 'Exact' | undefined
  /** 0 means no limit. */
  readonly limit: number
  readonly continueToken: string
  readonly watch: boolean
  readonly allowWatchBookmarks: boolean
  readonly sendInitialEvents: boolean | undefined
  readonly timeoutSeconds: number | undefined
}

/** Parses the options of a list or watch. Throws 400 for malformed values, 422 for contradictory ones. */
export function listOptionsFrom(query: URLSearchParams): ListOptions {
  const options: ListOptions = {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    match: (query.get('resourceVersionMatch') || undefined) as ListOptions['match'],
    limit: integer(query, 'limit') ?? 0,
    continueToken: query.get('continue') ?? '',
    watch: flag(query, 'watch') ?? false,
    allowWatchBookmarks: flag(query, 'allowWatchBookmarks') ?? false,
    sendInitialEvents: flag(query, 'sendInitialEvents'),
    timeoutSeconds: integer(query, 'timeoutSeconds'),
  }
  const causes = options.watch ? watchCauses(options) : listCauses(options)
  if (causes.length > 0) throw listOptionsInvalid(causes)
  if (options.resourceVersion !== '' && !isResourceVersion(options.resourceVersion))
    throw badRequest(
      `${options.watch ? '' : 'invalid resource version: '}${malformedVersionMessage(options.resourceVersion)}`,
    )
  return options
}

/** True when the text has the form of a resource version of this server. */
export function isResourceVersion(text: string): boolean {
  return /^(0|[1-9][0-9]*)$/.test(text)
}

/** Kubernetes' message for a malformed resource version. */
export function malformedVersionMessage(text: string): string {
  return `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${malformedNumberMessage(text)}`
}

/** Go's message for a malformed number. */
export function malformedNumberMessage(text: string): string {
  return `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`
}

function listCauses({ match, resourceVersion, continueToken, sendInitialEvents }: ListOptions): StatusCause[] {
  const causes: StatusCause[] = []
  if (match !== undefined) {
    if (resourceVersion === '')
      causes.push(matchForbidden('resourceVersionMatch is forbidden unless resourceVersion is provided'))
    if (continueToken !== '') causes.push(matchForbidden('resourceVersionMatch is forbidden when continue is provided'))
    if (!['NotOlderThan', 'Exact'].includes(match)) causes.push(matchUnsupported(match, ['Exact', 'NotOlderThan', '']))
    else if (match === 'Exact' && resourceVersion === '0')
      causes.push(matchForbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'))
  }
  if (sendInitialEvents !== undefined)
    causes.push({
      reason: 'FieldValueForbidden',
      field: 'sendInitialEvents',
      message: 'Forbidden: sendInitialEvents is forbidden for list',
    })
  return causes
}

function watchCauses({ match, sendInitialEvents }: ListOptions): StatusCause[] {
  if (sendInitialEvents === undefined)
    return match === undefined
      ? []
      : [matchForbidden('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')]
  if (match === undefined)
    return [matchForbidden('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')]
  return match === 'NotOlderThan' ? [] : [matchUnsupported(match, ['NotOlderThan'])]
}

function matchForbidden(detail: string): StatusCause {
  return { reason: 'FieldValueForbidden', field: 'resourceVersionMatch', message: `Forbidden: ${detail}` }
}

function matchUnsupported(value: string, supported: readonly string[]): StatusCause {
  const values = supported.map((each) => JSON.stringify(each)).join(', ')
  return {
    reason: 'FieldValueNotSupported',
    field: 'resourceVersionMatch',
    message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${values}`,
  }
}

function listOptionsInvalid(causes: readonly StatusCause[]): StatusError {
  return invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', causes)
}

function integer(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name)
  if (value === null || value === '') return undefined
  if (!/^-?[0-9]{1,15}$/.test(value))
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`)
  return Math.max(0, Number(value))
}

// Kubernetes' rule for boolean query parameters: present and neither `false` nor `0` is true.
function flag(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name)
  if (value === null) return undefined
  return value.toLowerCase() !== 'false' && value !== '0'
}

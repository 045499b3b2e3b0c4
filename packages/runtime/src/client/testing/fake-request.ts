import type { KubernetesObject } from '@hykube/machinery/object'
import type { TransportRequest } from '../transport.ts'
import type { FakePlace } from './fake-store.ts'

/** A parsed request. */
export interface FakeRequest extends FakePlace {
  readonly method: TransportRequest['method']
  readonly version: string
  readonly subresource: string
  readonly query: URLSearchParams
  readonly metadataOnly: boolean
  readonly contentType: string
  readonly body: KubernetesObject
  readonly signal: AbortSignal | undefined
}

/** Parses a request for a resource; undefined for any other path, such as discovery. */
export function fakeRequestFrom(request: TransportRequest): FakeRequest | undefined {
  let segments = request.path.split('/').slice(1).map(decodeURIComponent)
  let cluster = 'root'
  if (segments[0] === 'clusters') [, cluster = 'root', ...segments] = segments
  const core = segments[0] === 'api'
  const [group = '', version = '', ...rest] = core ? ['', ...segments.slice(1)] : segments.slice(1)
  if (rest.length === 0) return undefined
  const inside = rest[0] === 'namespaces' && rest.length > 2 && rest[2] !== 'finalize' && rest[2] !== 'status'
  const [resource = '', name = '', ...subresource] = inside ? rest.slice(2) : rest
  const { headers = {} } = request
  return {
    method: request.method,
    ...{ cluster, group, version, resource, name },
    namespace: inside ? rest[1]! : '',
    subresource: subresource.join('/'),
    query: new URLSearchParams(request.query ?? ''),
    metadataOnly: headers.accept?.includes('PartialObjectMetadata') ?? false,
    contentType: headers['content-type'] ?? '',
    body: request.body === undefined ? {} : (JSON.parse(new TextDecoder().decode(request.body)) as KubernetesObject),
    signal: request.signal,
  }
}

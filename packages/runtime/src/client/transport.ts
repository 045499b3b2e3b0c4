/** A request to a server. The transport adds the address of the server and the credentials. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Starts with a slash; the segments are encoded. */
  readonly path: string
  /** The encoded query string without the question mark. Default empty. */
  readonly query?: string
  /** Names are lower case. Default none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default: no body. */
  readonly body?: Uint8Array
  /** Aborts the request, also while the response body is being read. */
  readonly signal?: AbortSignal
}

/** A response. The body is streamed; leaving its iteration early closes it. */
export interface TransportResponse {
  readonly status: number
  /** Names are lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: AsyncIterable<Uint8Array>
}

/**
 * Sends requests to a server: over HTTP, within the process, or to a fake in a test. It must support concurrent requests.
 * It rejects only when there is no response; an HTTP error status is a response.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>

/** One request on its way to a server. The transport adds credentials and the server's address. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Begins with a slash; segments are encoded. */
  readonly path: string
  /** Without the question mark, encoded; empty when there is none. Default empty. */
  readonly query?: string
  /** Names are lower case. Default none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default: no body. */
  readonly body?: Uint8Array
  /** Ends the request, also while its body is read. */
  readonly signal?: AbortSignal
}

/** The head of an answer, and its body piece by piece. A body that is not read to its end is closed by its iterator. */
export interface TransportResponse {
  readonly status: number
  /** Names are lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: AsyncIterable<Uint8Array>
}

/**
 * Carries requests to a server: over HTTP, inside of a process, or to a fake in a test. Many requests are under way at
 * the same time. It rejects only when no answer came; a failure that the server told is an answer.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>

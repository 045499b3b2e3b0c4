/** A request as sent on the wire. */
export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Formats a request so that it can be reproduced. */
export function describeRequest({ method, path, headers, body }: FuzzRequest): string {
  return JSON.stringify({ method, path, headers, body: Buffer.from(body).toString('base64') })
}

/** A request as it goes on the wire. */
export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A request that a person can send again. */
export function describeRequest({ method, path, headers, body }: FuzzRequest): string {
  return JSON.stringify({ method, path, headers, body: Buffer.from(body).toString('base64') })
}

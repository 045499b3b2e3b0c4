import { createPrivateKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { OutgoingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import type { TestServer } from '../e2e/server.ts'

/** A request that is sent exactly as given, without normalizing the path. */
export interface Attack {
  readonly method?: string
  readonly path: string
  readonly token?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Uint8Array | object
  readonly certificate?: { readonly cert: Buffer; readonly key: Buffer }
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every kind
  readonly document: any
}

/** Sends one request over a connection of its own. */
export function send(server: Pick<TestServer, 'url'>, attack: Attack): Promise<Answer> {
  const { hostname, port } = new URL(server.url)
  const { method = 'GET', path, token, certificate } = attack
  const body = bytesOf(attack.body)
  const headers: OutgoingHttpHeaders = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
    ...attack.headers,
  }
  return new Promise((resolve, reject) => {
    const options = {
      hostname,
      port,
      path,
      method,
      headers,
      agent: false as const,
      rejectUnauthorized: false,
      ...certificate,
    }
    const sent = request(options, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      const text = Buffer.concat(chunks).toString()
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text, document: parsed(text) })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** The files that a server made for its administrator. */
export function certificateOf({ dataDirectory }: TestServer): { readonly cert: Buffer; readonly key: Buffer } {
  return { cert: readFileSync(join(dataDirectory, 'admin.crt')), key: readFileSync(join(dataDirectory, 'admin.key')) }
}

/** A token of a service account, asked for as its owner would. */
export async function tokenOf(
  server: TestServer,
  account: string,
  cluster = 'root',
  spec: object = {},
): Promise<string> {
  const [namespace, name] = account.split('/')
  const path = `/clusters/${cluster}/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec }
  for (;;) {
    const { status, document } = await send(server, { method: 'POST', path, token: server.adminToken, body })
    // The account is made a moment after its namespace.
    if (status !== 404) return document.status.token
  }
}

/** The token with other contents, signed with the server's own key: what only a broken check would let through. */
export function forged(server: TestServer, token: string, change: (claims: Record<string, unknown>) => object): string {
  const [head = '', claims = ''] = token.split('.')
  const signed = `${head}.${encoded(change(JSON.parse(Buffer.from(claims, 'base64url').toString())))}`
  const key = createPrivateKey(readFileSync(join(server.dataDirectory, 'sa.key')))
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

/** The token with another head and no, or somebody else's, signature. */
export function withHead(token: string, head: object, signature: string): string {
  return `${encoded(head)}.${token.split('.')[1]}.${signature}`
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function bytesOf(body: Attack['body']): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

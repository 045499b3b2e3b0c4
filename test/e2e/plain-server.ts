import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestApi } from '@hykube/server/http/testing'

/** A test's own API behind a socket, for real clients. */
export interface PlainServer {
  readonly url: string
  readonly kubeconfig: string
  readonly dataDirectory: string
  close(): Promise<void>
}

/** Serves a test's API by plain HTTP on a free port of this machine. */
export async function servePlainly(api: TestApi): Promise<PlainServer> {
  const server = createServer((incoming, outgoing) => void answer(api, incoming, outgoing))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const dataDirectory = mkdtempSync(join(tmpdir(), 'hykube-plain-'))
  const kubeconfig = join(dataDirectory, 'kubeconfig')
  const cluster = { name: 'c', cluster: { server: url } }
  const context = { name: 'c', context: { cluster: 'c', user: 'u', namespace: 'default' } }
  const user = { name: 'u', user: { token: 't' } }
  const config = { apiVersion: 'v1', kind: 'Config', clusters: [cluster], contexts: [context], users: [user] }
  writeFileSync(kubeconfig, JSON.stringify({ ...config, 'current-context': 'c' }))
  return {
    url,
    kubeconfig,
    dataDirectory,
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

async function answer({ handler }: TestApi, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const departed = new AbortController()
  outgoing.once('close', () => departed.abort())
  const [path = '', query = ''] = (incoming.url ?? '/').split('?')
  // The service asks for the body twice, before a seat is taken and when the object is decoded.
  let received: Promise<Buffer> | undefined
  const { status, headers, body } = await handler({
    method: incoming.method ?? 'GET',
    path,
    query,
    header: (name) => incoming.headersDistinct[name] ?? [],
    headerNames: () => Object.keys(incoming.headers),
    body: () => {
      received ??= Array.fromAsync(incoming as AsyncIterable<Buffer>).then((chunks) => Buffer.concat(chunks))
      return received
    },
    signal: departed.signal,
    get isDisconnected() {
      return departed.signal.aborted
    },
    peer: { address: 'test', certificate: undefined },
  })
  outgoing.writeHead(status, headers as Record<string, string | string[]>)
  if (body instanceof Uint8Array) outgoing.write(body)
  else await body({ signal: departed.signal, pending: 0, write: async (chunk) => void outgoing.write(chunk) })
  outgoing.end()
}

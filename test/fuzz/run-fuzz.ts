import { type ClientHttp2Session, connect } from 'node:http2'
import fc from 'fast-check'
import type { TestServer } from '../e2e/server.ts'
import { arbitraryRequest } from './arbitrary-requests.ts'
import { describeRequest, type FuzzRequest } from './fuzz-request.ts'
import { widgetDefinition } from './resources.ts'

export interface FuzzOptions {
  readonly server: TestServer
  readonly requests: number
  /** The same seed generates the same requests. */
  readonly seed: number
  /** Concurrent requests. Default 32. */
  readonly parallel?: number
  readonly tell?: (line: string) => void
}

/** Result of a run. */
export interface FuzzResult {
  readonly requests: number
  /** Number of responses per status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Requests with invalid responses, each with the problem. */
  readonly failures: readonly string[]
  /** Lowest heap size of each part of the run, in bytes: an estimate without garbage. */
  readonly heapFloors: readonly number[]
}

const parts = 8
const batch = 2000

/** Sends unusual requests and checks every response. */
export async function runFuzz({
  server,
  requests,
  seed,
  parallel = 32,
  tell = () => {},
}: FuzzOptions): Promise<FuzzResult> {
  const client = new FuzzClient(server)
  await client.prepare()
  const statuses: Record<string, number> = {}
  const failures: string[] = []
  const heapFloors: number[] = []
  const note = (failure: string) => {
    failures.push(failure)
    tell(failure)
  }
  let sent = 0
  let floor = Number.POSITIVE_INFINITY
  let said = performance.now()
  for (let round = 0; sent < requests && failures.length < 50; round++) {
    const sample = fc.sample(arbitraryRequest(), { numRuns: Math.min(batch, requests - sent), seed: seed + round })
    const waiting = sample.values()
    const work = async () => {
      for (const request of waiting) {
        const { status, problem } = await client.send(request)
        statuses[status] = (statuses[status] ?? 0) + 1
        if (problem !== undefined) note(`${problem} ${describeRequest(request)}`)
      }
    }
    await Promise.all(Array.from({ length: parallel }, work))
    sent += sample.length
    floor = Math.min(floor, await client.heap())
    if (sent >= ((heapFloors.length + 1) * requests) / parts) {
      heapFloors.push(floor)
      floor = Number.POSITIVE_INFINITY
    }
    if (performance.now() - said < 10_000) continue
    said = performance.now()
    tell(`${sent} requests, ${failures.length} failures`)
  }
  client.close()
  return { requests: sent, statuses, failures, heapFloors }
}

interface Outcome {
  readonly status: number | string
  readonly problem?: string
}

/** Tolerated server errors: 501 for unimplemented features, 504 for a revision that was never reached. */
const tolerated = new Set([501, 504])

class FuzzClient {
  readonly #server: TestServer
  #session: ClientHttp2Session

  constructor(server: TestServer) {
    this.#server = server
    this.#session = this.#connect()
  }

  /** Creates the objects that requests refer to. */
  async prepare(): Promise<void> {
    await this.send(postOf('/api/v1/namespaces', { metadata: { name: 'fuzz' } }))
    await this.send(postOf('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetDefinition))
  }

  async heap(): Promise<number> {
    const { text } = await this.#ask({ method: 'GET', path: '/metrics', headers: {}, body: new Uint8Array(0) })
    return Number(/^process_heap_bytes (\S+)$/m.exec(text)?.[1])
  }

  async send(request: FuzzRequest): Promise<Outcome> {
    try {
      const { status, text, contentType } = await this.#ask(request)
      if (status >= 500 && !tolerated.has(status)) return { status, problem: `${status} ${text.slice(0, 300)}` }
      return { status, ...problemWith(request, status, text, contentType) }
    } catch (error) {
      if (this.#server.process.exitCode !== null) return { status: 'crash', problem: 'the server ended' }
      if (this.#session.destroyed) this.#session = this.#connect()
      const { code } = error as { code?: string }
      // This client can't send the request; it is skipped.
      return code?.startsWith('ERR_INVALID') ? { status: 'unsendable' } : { status: 'broken', problem: String(error) }
    }
  }

  close(): void {
    this.#session.destroy()
  }

  #connect(): ClientHttp2Session {
    const session = connect(this.#server.url, { rejectUnauthorized: false })
    session.on('error', () => {})
    return session
  }

  #ask({ method, path, headers, body }: FuzzRequest): Promise<{ status: number; text: string; contentType: string }> {
    return new Promise((resolve, reject) => {
      const stream = this.#session.request(
        {
          authorization: `Bearer ${this.#server.adminToken}`,
          ...headers,
          ':method': method,
          ':path': path,
        },
        { endStream: body.length === 0 },
      )
      const chunks: Buffer[] = []
      let status = 0
      let contentType = ''
      const finish = () => resolve({ status, contentType, text: Buffer.concat(chunks).toString('latin1') })
      const hanging = setTimeout(() => {
        reject(new Error('no answer within 30 s'))
        stream.close()
      }, 30_000)
      stream.on('response', (answer) => {
        status = Number(answer[':status'])
        contentType = String(answer['content-type'])
        // A watch has no end; its beginning is sufficient.
        if (isEndless(path, answer['content-length'])) setTimeout(() => stream.close(), 20)
      })
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', reject)
      stream.on('close', () => {
        clearTimeout(hanging)
        if (status === 0) reject(new Error('the stream ended without an answer'))
        else finish()
      })
      if (body.length > 0) stream.end(body)
    })
  }
}

// An error response must be a Status in the requested format.
function problemWith(request: FuzzRequest, status: number, text: string, contentType: string): { problem?: string } {
  if (status < 400 || request.method === 'HEAD' || !contentType.startsWith('application/json')) return {}
  if (contentType.includes('json') && text.startsWith('\x1f\x8b')) return {}
  try {
    const { kind, code } = JSON.parse(text) as { kind?: string; code?: number }
    if (kind === 'Status' && code === status) return {}
  } catch {
    // Falls through to the problem.
  }
  return { problem: `${status} without a Status: ${text.slice(0, 200)}` }
}

function isEndless(path: string, length: unknown): boolean {
  return length === undefined && /[?&]watch=(true|1|x|)(&|$)/.test(path)
}

function postOf(path: string, body: object): FuzzRequest {
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  }
}

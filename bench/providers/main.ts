import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type ClientHttp2Session, connect as http2Connect } from 'node:http2'
import { connect as netConnect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as tlsConnect } from 'node:tls'
import * as grpcJs from '@grpc/grpc-js'
import { connectGrpc } from '@hykube/tfplugin/grpc'
import { createOneTimeCertificate, type OneTimeCertificate } from '@hykube/tfplugin/handshake'
import type { ServerCertificates } from './echo-server.ts'
import { type CodecRow, measureValueCodec } from './value-codec.ts'

/**
 * `npm run bench -- providers [seconds]`: cost of a unary call with 1 KB each way for the client process, with 64 calls
 * in flight over a Unix socket, plain and with mutual TLS. The server is another process.
 */
const seconds = Number(process.argv[2] ?? 3)
const inFlight = 64
const request = Buffer.alloc(1024, 'x')
const method = '/bench.Echo/Say'

interface Row {
  readonly client: string
  readonly tls: 'none' | 'mutual'
  readonly callsPerSecond: number
  readonly cpuMicrosecondsPerCall: number
}

interface Caller {
  call(): Promise<unknown>
  close(): void
}

interface Security {
  readonly server: OneTimeCertificate
  readonly client: OneTimeCertificate
}

const directory = mkdtempSync(join(tmpdir(), 'hykube-bench-'))
const rows: Row[] = []
try {
  for (const tls of ['none', 'mutual'] as const) {
    const security =
      tls === 'mutual' ? { server: createOneTimeCertificate(), client: createOneTimeCertificate() } : undefined
    const path = join(directory, `${tls}.sock`)
    const server = await startServer(path, security)
    const callers = { hykube, 'node:http2': nodeHttp2, 'grpc-js': grpcJsClient }
    for (const [client, connect] of Object.entries(callers)) {
      rows.push({ client, tls, ...(await measure(await connect(path, security))) })
    }
    server.kill()
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
print(rows)
printCodec(measureValueCodec())

async function measure({ call, close }: Caller): Promise<Pick<Row, 'callsPerSecond' | 'cpuMicrosecondsPerCall'>> {
  await runFor(1, call)
  globalThis.gc?.()
  const cpu = process.cpuUsage()
  const started = performance.now()
  const calls = await runFor(seconds, call)
  const elapsed = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpu)
  close()
  return {
    callsPerSecond: Math.round(calls / elapsed),
    cpuMicrosecondsPerCall: Number(((user + system) / calls).toFixed(1)),
  }
}

async function runFor(time: number, call: () => Promise<unknown>): Promise<number> {
  const end = performance.now() + time * 1000
  let calls = 0
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() < end) {
        await call()
        calls++
      }
    }),
  )
  return calls
}

async function hykube(path: string, security: Security | undefined): Promise<Caller> {
  const client = await connectGrpc(
    { kind: 'unix', path },
    security === undefined
      ? {}
      : {
          tls: {
            serverCertificate: security.server.certificatePem,
            certificate: security.client.certificatePem,
            key: security.client.keyPem,
          },
        },
  )
  return { call: () => client.unary(method, request), close: () => client.destroy() }
}

async function nodeHttp2(path: string, security: Security | undefined): Promise<Caller> {
  const session = http2Connect('http://localhost', {
    createConnection: () =>
      security === undefined
        ? netConnect(path)
        : tlsConnect({
            path,
            ca: security.server.certificatePem,
            cert: security.client.certificatePem,
            key: security.client.keyPem,
            servername: 'localhost',
            ALPNProtocols: ['h2'],
          }),
  })
  await once(session, 'remoteSettings')
  const framed = Buffer.concat([Buffer.from([0, 0, 0, 4, 0]), request])
  return { call: () => http2Call(session, framed), close: () => session.destroy() }
}

function http2Call(session: ClientHttp2Session, framed: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': method,
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    const parts: Buffer[] = []
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('end', () => resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts)))
    stream.on('error', reject)
    stream.end(framed)
  })
}

async function grpcJsClient(path: string, security: Security | undefined): Promise<Caller> {
  const credentials =
    security === undefined
      ? grpcJs.credentials.createInsecure()
      : grpcJs.credentials.createSsl(
          Buffer.from(security.server.certificatePem),
          Buffer.from(security.client.keyPem),
          Buffer.from(security.client.certificatePem),
        )
  const client = new grpcJs.Client(`unix:${path}`, credentials, {
    'grpc.ssl_target_name_override': 'localhost',
    'grpc.default_authority': 'localhost',
  })
  const same = (message: Buffer) => message
  const call = () =>
    new Promise((resolve, reject) => {
      client.makeUnaryRequest(method, same, same, request, (error, response) =>
        error === null ? resolve(response) : reject(error),
      )
    })
  return { call, close: () => client.close() }
}

async function startServer(path: string, security: Security | undefined) {
  const certificates: ServerCertificates | undefined =
    security === undefined
      ? undefined
      : {
          certificate: security.server.certificatePem,
          key: security.server.keyPem,
          client: security.client.certificatePem,
        }
  const child = fork(join(import.meta.dirname, 'echo-server.ts'), { execArgv: [] })
  child.send({ path, certificates })
  await once(child, 'message')
  return child
}

function print(all: readonly Row[]): void {
  process.stdout.write(`unary calls, 1 KB each way, ${inFlight} in flight, node ${process.version}\n`)
  process.stdout.write(
    `${'client'.padEnd(12)}${'TLS'.padEnd(8)}${'calls/s'.padStart(10)}${'CPU µs/call'.padStart(14)}\n`,
  )
  for (const { client, tls, callsPerSecond, cpuMicrosecondsPerCall } of all) {
    const numbers = `${String(callsPerSecond).padStart(10)}${cpuMicrosecondsPerCall.toFixed(1).padStart(14)}`
    process.stdout.write(`${client.padEnd(12)}${tls.padEnd(8)}${numbers}\n`)
  }
  for (const row of all) process.stdout.write(`${JSON.stringify(row)}\n`)
}

function printCodec(row: CodecRow): void {
  const { bytes, encodeMicroseconds, decodeMicroseconds } = row
  process.stdout.write(
    `value codec, ${bytes} bytes: ${encodeMicroseconds} µs to encode, ${decodeMicroseconds} µs to decode\n`,
  )
  process.stdout.write(`${JSON.stringify({ valueCodec: row })}\n`)
}

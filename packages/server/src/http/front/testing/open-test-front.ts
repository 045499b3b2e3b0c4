import { type AddressInfo, createServer, type Socket } from 'node:net'
import { ConnectionScheduler } from '@hykube/http2/connection'
import { onTestFinished } from 'vitest'
import type { Handler, Peer, Response } from '../exchange.ts'
import { Http2Front, type Http2Timeouts } from '../http2-front.ts'

const peer: Peer = { address: '127.0.0.1', certificate: undefined }

/** Starts a front without TLS that answers by path: /echo, /headers, /big, /endless, /fails, /wait, /stuck. */
export async function openTestFront(timeouts?: Http2Timeouts) {
  const handled = { started: 0, ended: 0 }
  const gate = Promise.withResolvers<void>()
  const handler: Handler = async (request) => {
    handled.started++
    switch (request.path) {
      case '/echo':
        try {
          return answer(200, await request.body())
        } catch (error) {
          return answer((error as { code?: number }).code ?? 500, Buffer.from(String(error)))
        }
      case '/headers':
        return answer(
          200,
          Buffer.from([...request.headerNames()].map((name) => `${name}=${request.header(name)}`).join(' ')),
        )
      case '/big':
        return answer(200, Buffer.alloc(1 << 20, 'b'))
      case '/endless':
        return {
          ...answer(200, nothing),
          body: async (writer) => {
            while (!writer.signal.aborted) await writer.write(Buffer.alloc(10_000, 'e'))
            handled.ended++
          },
        }
      case '/fails':
        return { ...answer(200, nothing), body: () => Promise.reject(new Error('in the middle')) }
      case '/wait':
        await gate.promise
        return answer(200, Buffer.from('waited'))
      case '/stuck':
        await new Promise<void>((resolve) => request.signal.addEventListener('abort', () => resolve()))
        handled.ended++
        return answer(200, nothing)
      default:
        return answer(200, Buffer.from('ok'))
    }
  }
  const front = new Http2Front(handler, new ConnectionScheduler(), timeouts)
  const sockets = new Set<Socket>()
  const listener = createServer((socket) => {
    sockets.add(socket)
    front.accept(socket, peer)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    gate.resolve()
    front.stop()
    for (const socket of sockets) socket.destroy()
    listener.close()
  })
  return { port: (listener.address() as AddressInfo).port, front, handled, openGate: () => gate.resolve(), handler }
}

const nothing = new Uint8Array(0)

function answer(status: number, body: Uint8Array): Response {
  return { status, headers: { 'content-type': 'text/plain', 'x-note': 'same every time' }, body }
}

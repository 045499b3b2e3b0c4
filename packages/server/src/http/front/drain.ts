import type { Writable } from 'node:stream'
import { onAbort } from '@hykube/machinery/base'
import type { BodyWriter } from './exchange.ts'

/** Creates a writer over a Node stream whose promises apply backpressure to the producer. */
export function bodyWriter(stream: Writable, signal: AbortSignal): BodyWriter {
  return {
    signal,
    get pending() {
      return stream.writableLength
    },
    write(chunk) {
      if (stream.destroyed) return Promise.resolve()
      if (stream.write(chunk)) return settled
      return drained(stream, signal)
    },
  }
}

const settled = Promise.resolve()

// Also resolves when the client disconnects: the producer then sees its aborted signal and ends.
function drained(stream: Writable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      stream.off('drain', finish)
      release()
      resolve()
    }
    const release = onAbort(signal, finish)
    stream.once('drain', finish)
  })
}

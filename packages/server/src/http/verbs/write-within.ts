import type { BodyWriter } from '../front/index.ts'

/** Writes and waits for the client to catch up. Returns false after `timeout` milliseconds. */
export function writeWithin(writer: BodyWriter, bytes: Uint8Array, timeout: number): Promise<boolean> {
  const taken = writer.write(bytes)
  if (writer.pending === 0) return caughtUp
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), timeout)
    taken.then(
      () => {
        clearTimeout(timer)
        resolve(true)
      },
      (error: Error) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

const caughtUp = Promise.resolve(true)

import type { BodyWriter } from '../front/index.ts'

/** Writes, and waits until the client has caught up, but no longer than so many milliseconds: false when it has not. */
export function writeWithin(writer: BodyWriter, bytes: Uint8Array, patience: number): Promise<boolean> {
  const taken = writer.write(bytes)
  if (writer.pending === 0) return caughtUp
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), patience)
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

import { createLogger } from './logs/logger.ts'
import { completeServeOptions, type ServeOptions } from './serve-options.ts'
import { startBackground } from './stages/background.ts'
import { withEngineParts } from './stages/with-engine-parts.ts'
import { withFront } from './stages/with-front.ts'
import { withService } from './stages/with-service.ts'
import { withStore } from './stages/with-store.ts'
import { withTypes } from './stages/with-types.ts'
import { Stopping } from './stopping.ts'

/** A running server. */
export interface RunningServer {
  /** `https://HOST:PORT` */
  readonly url: string
  readonly dataDirectory: string
  /** Resolves when the server stopped serving because its database was restored or replaced; the process must then exit. */
  readonly failed: Promise<Error>
  /** Stops serving, waits for running work, and closes the store. */
  close(): Promise<void>
}

/** Starts the parts of a server in order. They are stopped in reverse order, on close or when a later step fails. */
export async function serve(given: ServeOptions): Promise<RunningServer> {
  const options = completeServeOptions(given)
  const stopping = new Stopping()
  try {
    const stored = await withStore({ options, logger: createLogger(options.verbosity), stopping })
    const answering = await withService(await withTypes(await withEngineParts(stored)))
    const listening = await withFront(answering)
    startBackground(listening)
    const { url, failed } = listening
    return { url, dataDirectory: options.dataDirectory, failed, close: () => stopping.run() }
  } catch (error) {
    await stopping.run()
    throw error
  }
}

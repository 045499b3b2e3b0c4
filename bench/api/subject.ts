import { startServer } from '../../test/e2e/server.ts'

/** A server that is measured. */
export interface Subject {
  readonly name: string
  readonly url: string
  readonly token: string
  /** The processes that do its work: what they use counts. */
  readonly pids: readonly number[]
  /** How long it took to start, in milliseconds. */
  readonly started: number
  close(): Promise<void>
}

/** Hykube on SQLite in a process of its own, as a user starts it. */
export async function startHykube(): Promise<Subject> {
  const begun = performance.now()
  const server = await startServer({ arguments: [] })
  return {
    name: 'hykube',
    url: server.url,
    token: server.adminToken,
    pids: [server.process.pid!],
    started: performance.now() - begun,
    close: () => server.remove(),
  }
}

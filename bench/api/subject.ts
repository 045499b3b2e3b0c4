import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../../test/e2e/server.ts'

/** A server that is measured. */
export interface Subject {
  readonly name: string
  readonly url: string
  readonly token: string
  /** The token of another user that may do everything. */
  userToken(name: string): string
  /** The processes that do its work: what they use counts. */
  readonly pids: readonly number[]
  /** How long it took to start, in milliseconds. */
  readonly started: number
  close(): Promise<void>
}

/** Hykube on SQLite in a process of its own, as a user starts it. */
export async function startHykube(): Promise<Subject> {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-bench-'))
  const tokens = join(directory, 'tokens.csv')
  writeFileSync(tokens, users.map((name) => `${name}-token,${name},${name},system:masters\n`).join(''))
  const begun = performance.now()
  const server = await startServer({ arguments: ['--token-auth-file', tokens] })
  return {
    name: 'hykube',
    url: server.url,
    token: server.adminToken,
    pids: [server.process.pid!],
    started: performance.now() - begun,
    userToken: (name) => `${name}-token`,
    close: async () => {
      await server.remove()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const users = ['greedy', 'modest']

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../../test/e2e/server.ts'

/** A server under measurement. */
export interface Subject {
  readonly name: string
  readonly url: string
  readonly token: string
  /** Token of another user with full permissions. */
  userToken(name: string): string
  /** Processes of the server, whose processor time and memory are counted. */
  readonly pids: readonly number[]
  /** Start time in milliseconds. */
  readonly started: number
  close(): Promise<void>
}

/** Starts Hykube on SQLite in its own process, as a user would. */
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

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** A server in a process of its own, as a user starts it. */
export interface TestServer {
  readonly url: string
  readonly kubeconfig: string
  readonly dataDirectory: string
  readonly adminToken: string
  readonly process: ChildProcess
  /** Sends a signal and waits for the end; gives the exit code, or the signal that ended it. */
  end(signal?: NodeJS.Signals): Promise<number | string>
  /** Ends it and takes its data away. */
  remove(): Promise<void>
}

export interface TestServerOptions {
  readonly arguments?: readonly string[]
  /** Default: a new temporary directory. */
  readonly dataDirectory?: string
  /** Default: that of the clone. */
  readonly program?: string
  /** Besides what this process has. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts a server on a free port and waits until it is ready. Its store is in memory unless the arguments name another. */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDirectory = options.dataDirectory ?? mkdtempSync(join(tmpdir(), 'hykube-e2e-'))
  const args = ['serve', '--port', '0', '--data-dir', dataDirectory, ...(options.arguments ?? ['--store', 'memory:'])]
  const child = spawn(options.program ?? join(root, 'bin/hykube'), args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.environment },
  })
  const ended = new Promise<number | string>((done) => child.once('exit', (code, signal) => done(code ?? signal!)))
  const url = await readyUrl(child)
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  return {
    url,
    dataDirectory,
    kubeconfig: join(dataDirectory, 'admin.kubeconfig'),
    adminToken: readFileSync(join(dataDirectory, 'admin.token'), 'utf8').trim(),
    process: child,
    end,
    remove: async () => {
      await end('SIGKILL')
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

/** The output and exit code of a program. */
export interface ProgramResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface ProgramOptions {
  readonly input?: string
  readonly env?: NodeJS.ProcessEnv
}

/** Runs kubectl, Helm or another client against a server. Clients get a home of their own, so that caches start empty. */
export function client(program: string, server: Pick<TestServer, 'kubeconfig' | 'dataDirectory'>) {
  return (args: readonly string[] | string, options: ProgramOptions = {}): Promise<ProgramResult> =>
    new Promise((done) => {
      const words = typeof args === 'string' ? args.split(' ') : args
      const env = { ...process.env, KUBECONFIG: server.kubeconfig, HOME: server.dataDirectory, ...options.env }
      const child = execFile(program, words, { env, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        done({ code, stdout, stderr })
      })
      child.stdin?.end(options.input ?? '')
    })
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolveUrl, reject) => {
    let said = ''
    let complained = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      complained += chunk.toString()
    })
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const match = /^ready (\S+)$/m.exec(said)
      if (match !== null) resolveUrl(match[1]!)
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it was ready: ${complained}`)))
    child.once('error', reject)
  })
}

import { type ChildProcess, spawn } from 'node:child_process'
import { openSync } from 'node:fs'

/** The result of a command. */
export interface CommandResult {
  readonly code: number
  readonly stdout: string
}

/** Runs this program in child processes, against one server. */
export class OwnProgram {
  readonly #env: NodeJS.ProcessEnv

  constructor(kubeconfig: string) {
    this.#env = { ...process.env, KUBECONFIG: kubeconfig }
  }

  /** Runs a command on this terminal. */
  run(...args: readonly string[]): Promise<number> {
    const child = this.#spawn(args, 'inherit')
    return ended(child)
  }

  /** Runs a command and captures its output. */
  async ask(...args: readonly string[]): Promise<CommandResult> {
    const child = this.#spawn(args, 'pipe')
    let stdout = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
    })
    return { code: await ended(child), stdout }
  }

  #spawn(args: readonly string[], stdout: 'inherit' | 'pipe'): ChildProcess {
    return spawn(process.execPath, [process.argv[1]!, ...args], {
      stdio: ['inherit', stdout, 'inherit'],
      env: this.#env,
    })
  }
}

/** The server of the demo. */
export interface DemoServer {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
  /** Keeps it running after this process. */
  leave(): void
}

/** Starts a server on a free port and waits until it is ready; its log goes to a file. */
export async function startDemoServer(dataDirectory: string, logFile: string): Promise<DemoServer> {
  const log = openSync(logFile, 'a')
  const args = [process.argv[1]!, 'serve', '--port', '0', '--data-dir', dataDirectory]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', log], detached: true })
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const match = /^ready (\S+)$/m.exec(output)
      if (match !== null) resolve(match[1]!)
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`the server ended with ${code} before it was ready; its log is ${logFile}`)),
    )
  })
  return {
    url,
    pid: child.pid!,
    stop: async () => {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await ended(child)
    },
    leave: () => {
      child.stdout?.destroy()
      child.unref()
    },
  }
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

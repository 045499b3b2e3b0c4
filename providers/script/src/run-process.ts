import { type ChildProcess, spawn } from 'node:child_process'
import { KeptText } from './kept-text.ts'
import type { Outcome } from './machine.ts'

export interface ProcessRequest {
  readonly program: string
  readonly args: readonly string[]
  readonly directory: string | null
  /** The complete environment: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>
  readonly input: string
  /** In milliseconds. */
  readonly timeout: number
  readonly signal: AbortSignal
}

/** Maximum standard output in bytes. */
export const maxOutput = 4 << 20

/** Bytes of standard error that are kept, from the end. */
export const maxStderr = 8 << 10

/** Runs a program in its own process group. On timeout, too much output or cancellation the whole group is killed. */
export function runProcess(request: ProcessRequest): Promise<Outcome> {
  const { program, args, directory, environment, input, timeout, signal } = request
  if (signal.aborted) return Promise.resolve({ kind: 'not-started', why: 'the provider is being stopped' })
  return new Promise((done) => {
    const output = new KeptText(maxOutput)
    const stderr = new KeptText(maxStderr)
    const options = { env: environment, detached: true, ...(directory !== null && { cwd: directory }) }
    const child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
    let why: string | undefined
    let last: NodeJS.Timeout | undefined
    const end = (reason: string) => {
      if (why !== undefined) return
      why = reason
      killGroup(child, 'SIGTERM')
      last = setTimeout(() => killGroup(child, 'SIGKILL'), graceToEnd)
    }
    const timer = setTimeout(() => end(`it exceeded the timeout of ${timeout / 1000} s`), timeout)
    const stop = () => end('the provider is being stopped')
    signal.addEventListener('abort', stop)
    const settle = (outcome: Outcome) => {
      // Kills processes that the program left in its group.
      if (why !== undefined) killGroup(child, 'SIGKILL')
      for (const stream of [child.stdout, child.stderr]) stream.destroy()
      clearTimeout(timer)
      clearTimeout(last)
      signal.removeEventListener('abort', stop)
      done(outcome)
    }
    child.stdout.on('data', (chunk: Buffer) => {
      output.add(chunk)
      if (output.size > maxOutput) end(`it wrote more than ${maxOutput} bytes to its standard output`)
    })
    child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk))
    // A program that does not read its input may exit before all of it is written.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    child.once('error', (error: NodeJS.ErrnoException) => settle({ kind: 'not-started', why: reasonOf(error) }))
    const finish = (code: number | null, name: NodeJS.Signals | null) => {
      const written = { output: output.text(), stderr: stderr.text() }
      if (why === undefined && code !== null) settle({ kind: 'exited', code, ...written })
      else settle({ kind: 'killed', why: why ?? `it was terminated by ${name}`, ...written })
    }
    child.once('close', finish)
    // Background processes of the program may keep its output open.
    child.once('exit', (code, name) => setTimeout(() => finish(code, name), graceToFlush).unref())
  })
}

// Time to wait for output after the program exited, in milliseconds.
const graceToFlush = 500

// Time between SIGTERM and SIGKILL, in milliseconds.
const graceToEnd = 5000

function killGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, name)
  } catch {
    // It has exited already.
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'the program or the working directory does not exist'
  return code === 'EACCES' ? 'it is not executable' : message
}

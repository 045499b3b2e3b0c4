import { type ChildProcess, spawn } from 'node:child_process'
import { KeptText } from './kept-text.ts'
import type { Outcome } from './machine.ts'

export interface ProcessRequest {
  readonly program: string
  readonly args: readonly string[]
  readonly directory: string | null
  /** All of it: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>
  readonly input: string
  /** In milliseconds. */
  readonly timeout: number
  readonly signal: AbortSignal
}

/** What a command may write to its standard output, in bytes. */
export const mostOutput = 4 << 20

/** How much of its standard error is kept, from the end, in bytes. */
export const mostComplaints = 8 << 10

/**
 * Runs a program to its end, in a process group of its own: when its time is over, when it floods its output or when
 * nobody waits for it any more, it is ended together with what it started.
 */
export function runProcess(request: ProcessRequest): Promise<Outcome> {
  const { program, args, directory, environment, input, timeout, signal } = request
  if (signal.aborted) return Promise.resolve({ kind: 'not-started', why: 'the provider is being stopped' })
  return new Promise((done) => {
    const output = new KeptText(mostOutput)
    const complaints = new KeptText(mostComplaints)
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
    const timer = setTimeout(() => end(`it took longer than ${timeout / 1000} s`), timeout)
    const stop = () => end('the provider is being stopped')
    signal.addEventListener('abort', stop)
    const settle = (outcome: Outcome) => {
      // Of what was to end nothing stays, also what its parent did not take along.
      if (why !== undefined) killGroup(child, 'SIGKILL')
      for (const stream of [child.stdout, child.stderr]) stream.destroy()
      clearTimeout(timer)
      clearTimeout(last)
      signal.removeEventListener('abort', stop)
      done(outcome)
    }
    child.stdout.on('data', (chunk: Buffer) => {
      output.add(chunk)
      if (output.size > mostOutput) end(`it wrote more than ${mostOutput} bytes to its standard output`)
    })
    child.stderr.on('data', (chunk: Buffer) => complaints.add(chunk))
    // A program that does not read its input ends before all of it is written.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    child.once('error', (error: NodeJS.ErrnoException) => settle({ kind: 'not-started', why: reasonOf(error) }))
    const finish = (code: number | null, name: NodeJS.Signals | null) => {
      const written = { output: output.text(), complaints: complaints.text() }
      if (why === undefined && code !== null) settle({ kind: 'exited', code, ...written })
      else settle({ kind: 'killed', why: why ?? `the signal ${name} ended it`, ...written })
    }
    child.once('close', finish)
    // What it left running may hold its output open for ever.
    child.once('exit', (code, name) => setTimeout(() => finish(code, name), graceToFlush).unref())
  })
}

// How long output is waited for when the command itself has ended, in milliseconds.
const graceToFlush = 500

// What a command gets to end by itself before it is killed, in milliseconds.
const graceToEnd = 5000

function killGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, name)
  } catch {
    // It has ended meanwhile.
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'there is no such program, or no such working directory'
  return code === 'EACCES' ? 'it is not executable' : message
}

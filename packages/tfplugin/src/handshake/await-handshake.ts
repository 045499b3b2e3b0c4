import type { ChildProcess } from 'node:child_process'
import { type Handshake, parseHandshake } from './handshake-line.ts'
import { exitText, type PluginExit } from './plugin.ts'
import type { PluginLog, PluginLogReader } from './plugin-log.ts'

export interface AwaitHandshakeOptions {
  readonly logs: PluginLogReader
  readonly onLog: (log: PluginLog) => void
  /** In milliseconds. */
  readonly timeout: number
}

/**
 * Waits for the first line of a plugin's output; later lines go to the log. Rejects with an error that contains the
 * cause.
 */
export function awaitHandshake(
  child: ChildProcess,
  exited: Promise<PluginExit>,
  { logs, onLog, timeout }: AwaitHandshakeOptions,
): Promise<Handshake> {
  return new Promise((resolve, reject) => {
    let text = ''
    let settled = false
    const settle = (finish: () => void) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      finish()
    }
    const fail = (message: string) => settle(() => reject(new Error(message)))
    const read = (line: string) => {
      try {
        const handshake = parseHandshake(line)
        settle(() => resolve(handshake))
      } catch (error) {
        fail((error as Error).message)
      }
    }
    const timer = setTimeout(() => fail(`it was not ready within ${timeout} ms${lastOutput(logs)}`), timeout)
    // The output is read until the end: a plugin with a full pipe would block.
    child.stdout!.on('data', (bytes: Buffer) => {
      if (settled) return onLog({ level: 'debug', message: bytes.toString('utf8').trimEnd() })
      text += bytes.toString('latin1')
      const end = text.indexOf('\n')
      if (end >= 0) read(text.slice(0, end))
      else if (text.length > longestLine) fail(`it wrote ${text.length} bytes on stdout instead of a handshake`)
    })
    void exited.then((exit) => fail(`it ended with ${exitText(exit)} before it was ready${lastOutput(logs)}`))
  })
}

const longestLine = 65_536

function lastOutput(logs: PluginLogReader): string {
  return logs.tail === '' ? '' : `; it said: ${logs.tail}`
}

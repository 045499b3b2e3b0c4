/** A log entry of a plugin. */
export interface PluginLog {
  readonly level: LogLevel
  readonly message: string
  /** Component of the plugin that logged it, if known. */
  readonly module?: string
  /** As the plugin wrote it. */
  readonly timestamp?: string
  readonly fields?: Readonly<Record<string, unknown>>
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error'

/** Parses the stderr of a plugin into log entries, and keeps the output of a crash. */
export class PluginLogReader {
  readonly #onLog: (log: PluginLog) => void
  readonly #decoder = new TextDecoder()
  #partial = ''
  #panic: string[] | undefined
  #tail: string[] = []

  constructor(onLog: (log: PluginLog) => void) {
    this.#onLog = onLog
  }

  /** Output from `panic:` or `fatal error:` on, or undefined. */
  get panic(): string | undefined {
    return this.#panic?.join('\n')
  }

  /** Its last lines, for errors about a failed start. */
  get tail(): string {
    return this.#tail.join('\n')
  }

  push(bytes: Uint8Array): void {
    const lines = (this.#partial + this.#decoder.decode(bytes, { stream: true })).split('\n')
    this.#partial = lines.pop()!
    for (const line of lines) this.#line(line)
    // A line without end is passed on in pieces.
    if (this.#partial.length > longestLine) this.end()
  }

  /** Passes on the rest. */
  end(): void {
    if (this.#partial !== '') this.#line(this.#partial)
    this.#partial = ''
  }

  #line(raw: string): void {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    if (line === '') return
    this.#remember(line)
    this.#onLog(this.#panic === undefined ? parseLogLine(line) : { level: 'error', message: line })
  }

  #remember(line: string): void {
    this.#tail.push(line.slice(0, 1000))
    if (this.#tail.length > tailLines) this.#tail.shift()
    if (/^(panic|fatal error): /.test(line)) this.#panic ??= []
    if (this.#panic !== undefined && this.#panic.length < panicLines) this.#panic.push(line.slice(0, 1000))
  }
}

/** Parses a line: JSON of hclog, or text that may begin with its level. */
export function parseLogLine(line: string): PluginLog {
  return (line.startsWith('{') ? parseJsonLine(line) : undefined) ?? parsePlainLine(line)
}

const longestLine = 65_536
const tailLines = 20
const panicLines = 200
const levels: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error']

function parseJsonLine(line: string): PluginLog | undefined {
  let parsed: Record<string, unknown>
  try {
    parsed = JSON.parse(line) as Record<string, unknown>
  } catch {
    return undefined
  }
  const { '@level': level, '@message': message, '@module': module, '@timestamp': timestamp, ...fields } = parsed
  if (typeof message !== 'string') return undefined
  return {
    level: levels.find((known) => known === level) ?? 'debug',
    message,
    ...(typeof module === 'string' && { module }),
    ...(typeof timestamp === 'string' && { timestamp }),
    ...(Object.keys(fields).length > 0 && { fields }),
  }
}

function parsePlainLine(line: string): PluginLog {
  const match = /^(?:\d{4}[-/]\d\d[-/]\d\d[T ][\d:.Z+-]+ )?\[(TRACE|DEBUG|INFO|WARN|ERROR)\]\s*(.*)$/.exec(line)
  if (match === null) return { level: 'debug', message: line }
  return { level: match[1]!.toLowerCase() as LogLevel, message: match[2]! }
}

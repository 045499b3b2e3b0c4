import { createInterface } from 'node:readline'
import { createStyle, printable, type Style } from '../render/index.ts'

/**
 * Where a command is read from and written to. Everything that a command prints goes through here, and is made
 * {@link printable} here.
 */
export interface Terminal {
  /** What was asked for. */
  out(text: string): void
  /** What is said besides: progress, hints, failures. */
  err(text: string): void
  /** Goes up so many lines and removes what is below. The only movement on a terminal. */
  erase(lines: number): void
  readonly columns: number
  /** Whether a person looks at it, so that things may move on it. */
  readonly live: boolean
  /** Of what is written to `out`. */
  readonly style: Style
  /** Asks for a line; undefined when there is nobody to answer. */
  ask(question: string): Promise<string | undefined>
  /** Calls back at each Ctrl-C until it is taken back; as long as someone listens, Ctrl-C does not end the process. */
  onInterrupt(listener: () => void): () => void
  /** All that is piped in. */
  input(): Promise<string>
  now(): number
}

/** Whether something was chosen about colours. */
export interface ColorChoice {
  /** `--no-color` */
  readonly color?: boolean | undefined
}

/** The terminal of this process. */
export function processTerminal({ color }: ColorChoice): Terminal {
  const { stdout, stderr, stdin, env } = process
  const isQuiet = isSet(env.CI)
  const colored = color !== false && !isSet(env.NO_COLOR) && !isQuiet && env.TERM !== 'dumb' && stdout.isTTY === true
  return {
    out: (text) => void stdout.write(printable(text, colored)),
    err: (text) => void stderr.write(printable(text, colored)),
    erase: (lines) => void stdout.write(`\u001B[${lines}A\r\u001B[J`),
    columns: stdout.columns ?? 80,
    live: stdout.isTTY === true && !isQuiet && env.TERM !== 'dumb',
    style: createStyle(colored),
    ask: (question) => ask(printable(question, colored)),
    onInterrupt: (listener) => {
      process.on('SIGINT', listener)
      return () => process.off('SIGINT', listener)
    },
    input: async () => {
      let text = ''
      for await (const chunk of stdin.setEncoding('utf8')) text += chunk as string
      return text
    },
    now: () => Date.now(),
  }
}

function isSet(variable: string | undefined): boolean {
  return variable !== undefined && variable !== '' && variable !== 'false' && variable !== '0'
}

function ask(question: string): Promise<string | undefined> {
  const lines = createInterface({
    input: process.stdin,
    output: process.stdout,
    terminal: process.stdin.isTTY === true,
  })
  return new Promise((resolve) => {
    let answer: string | undefined
    // Ctrl-C at a question is an answer too: nothing.
    lines.on('SIGINT', () => lines.close())
    lines.on('close', () => resolve(answer))
    lines.question(question, (line) => {
      answer = line
      lines.close()
    })
  })
}

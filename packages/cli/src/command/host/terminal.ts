import { createInterface } from 'node:readline'
import { createStyle, printable, type Style } from '../../render/index.ts'

/**
 * The input and output of a command. All output passes through it and is made {@link printable}.
 */
export interface Terminal {
  /** Writes the result of the command to standard output. */
  out(text: string): void
  /** Writes messages to standard error: progress, hints, failures. */
  err(text: string): void
  /** Moves the cursor up and clears everything below it. */
  erase(lines: number): void
  readonly columns: number
  /** True on an interactive terminal, where lines may be redrawn. */
  readonly live: boolean
  /** The style of `out`. */
  readonly style: Style
  /** Asks for a line; undefined after Ctrl-C, and when the input has ended. */
  ask(question: string): Promise<string | undefined>
  /** Calls the listener at each Ctrl-C until it is removed; meanwhile Ctrl-C does not end the process. */
  onInterrupt(listener: () => void): () => void
  /** Reads standard input to its end. */
  input(): Promise<string>
  now(): number
}

/** The flag for colors. */
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
    // Ctrl-C at a question ends the question, not the process.
    lines.on('SIGINT', () => lines.close())
    lines.on('close', () => resolve(answer))
    lines.question(question, (line) => {
      answer = line
      lines.close()
    })
  })
}

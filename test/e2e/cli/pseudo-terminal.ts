import { type ChildProcess, spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'

/** A program on a terminal of its own, as a person sees it and types into it. */
export class PseudoTerminal {
  readonly #child: ChildProcess
  readonly #ended: Promise<number>
  #written = ''

  /** The terminal is that of `script`, which most Linux machines have. */
  constructor(
    script: string,
    command: readonly string[],
    { columns, env }: { readonly columns: number; readonly env: NodeJS.ProcessEnv },
  ) {
    const line = `stty cols ${columns} rows 24; exec ${command.map((word) => `'${word}'`).join(' ')}`
    this.#child = spawn(script, ['-qec', line, '/dev/null'], { env: { ...process.env, TERM: 'xterm', ...env } })
    this.#ended = new Promise((resolve) => this.#child.once('close', (code) => resolve(code ?? -1)))
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      this.#written += chunk.toString()
    })
  }

  type(text: string): void {
    this.#child.stdin?.write(text)
  }

  /** Everything that was written, with its control sequences. */
  get written(): string {
    return this.#written
  }

  /** The screen including scrolled lines; overwritten text is gone. */
  get screen(): string {
    return drawn(this.#written)
  }

  /** Waits until something was written. */
  async see(expected: RegExp): Promise<void> {
    for (let turn = 0; !expected.test(stripVTControlCharacters(this.#written)); turn++) {
      if (turn > 3000) throw new Error(`never saw ${expected} in:\n${this.screen}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  /** Waits for the end; gives the exit code. */
  ended(): Promise<number> {
    return this.#ended
  }

  end(): void {
    this.#child.kill('SIGKILL')
  }
}

// As much of a terminal as the program uses: lines, back to their beginning, up, and away with what is below.
function drawn(text: string): string {
  const lines = ['']
  let row = 0
  const put = (piece: string) => {
    lines[row] = piece
  }
  for (const [token] of text.matchAll(/\u001B\[\d*[A-Za-z]|\r\n|\n|\r|[^\u001B\r\n]+|\u001B/g)) {
    const up = /^\u001B\[(\d+)A$/.exec(token)
    if (up !== null) row = Math.max(0, row - Number(up[1]))
    else if (token === '\u001B[J') lines.splice(row, lines.length, '')
    else if (token === '\r\n' || token === '\n') lines[++row] ??= ''
    else if (token.startsWith('\u001B') || token === '\r') continue
    else put((lines[row] ?? '') + token)
  }
  return lines.join('\n')
}

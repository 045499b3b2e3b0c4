import { stripVTControlCharacters } from 'node:util'
import { createStyle, printable } from '../../render/index.ts'
import type { Terminal } from '../host/terminal.ts'

/** Properties of a fake terminal. */
export interface FakeTerminalOptions {
  readonly columns?: number
  readonly live?: boolean
  readonly color?: boolean
  readonly answers?: readonly string[]
  readonly input?: string
  readonly now?: () => number
}

/** A terminal that remembers what was written to it. */
export class FakeTerminal implements Terminal {
  readonly columns: number
  readonly live: boolean
  readonly style
  readonly now: () => number
  stdout = ''
  stderr = ''
  readonly #color: boolean
  readonly #answers: string[]
  readonly #input: string
  readonly #interrupted = new Set<() => void>()

  constructor(options: FakeTerminalOptions = {}) {
    this.columns = options.columns ?? 80
    this.live = options.live ?? false
    this.#color = options.color ?? false
    this.style = createStyle(this.#color)
    this.now = options.now ?? (() => Date.now())
    this.#answers = [...(options.answers ?? [])]
    this.#input = options.input ?? ''
  }

  out(text: string): void {
    this.stdout += printable(text, this.#color)
  }

  err(text: string): void {
    this.stderr += printable(text, this.#color)
  }

  erase(lines: number): void {
    this.stdout += `<${lines} up>`
  }

  async ask(question: string): Promise<string | undefined> {
    this.stdout += printable(question, false)
    return this.#answers.shift()
  }

  onInterrupt(listener: () => void): () => void {
    this.#interrupted.add(listener)
    return () => this.#interrupted.delete(listener)
  }

  async input(): Promise<string> {
    return this.#input
  }

  /** Presses Ctrl-C. */
  interrupt(): void {
    for (const listener of [...this.#interrupted]) listener()
  }

  get isInterruptible(): boolean {
    return this.#interrupted.size > 0
  }

  /** The last line of stdout, without empty lines. */
  get lastLine(): string {
    return stripVTControlCharacters(this.stdout).trimEnd().split('\n').at(-1) ?? ''
  }
}

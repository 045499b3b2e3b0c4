/** Some lines at the bottom of a terminal that are drawn again and again, with ordinary output above them. */
export class LiveView {
  readonly #write: (text: string) => void
  #drawn: readonly string[] = []

  /** `write` goes to a terminal that understands the usual sequences. */
  constructor(write: (text: string) => void) {
    this.#write = write
  }

  /** Draws these lines in the place of those before. Each must fit into the width of the terminal. */
  draw(lines: readonly string[]): void {
    this.#write(`${this.#back()}${lines.map((line) => `${line}\n`).join('')}`)
    this.#drawn = lines
  }

  /** Writes a text above the lines; it stays. */
  above(text: string): void {
    const lines = this.#drawn
    this.clear()
    this.#write(text)
    this.draw(lines)
  }

  /** Takes the lines away. */
  clear(): void {
    this.#write(this.#back())
    this.#drawn = []
  }

  // Up to the first line, and away with what is below.
  #back(): string {
    return this.#drawn.length === 0 ? '' : `\u001B[${this.#drawn.length}A\r\u001B[J`
  }
}

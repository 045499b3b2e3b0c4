/** Some lines at the bottom of a terminal that are drawn again and again, with ordinary output above them. */
export class LiveView {
  readonly #write: (text: string) => void
  readonly #erase: (lines: number) => void
  #drawn: readonly string[] = []

  /** `write` goes to a terminal, and `erase` goes up so many lines on it and removes what is below. */
  constructor(write: (text: string) => void, erase: (lines: number) => void) {
    this.#write = write
    this.#erase = erase
  }

  /** Draws these lines in the place of those before. Each must fit into the width of the terminal. */
  draw(lines: readonly string[]): void {
    this.#back()
    this.#write(lines.map((line) => `${line}\n`).join(''))
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
    this.#back()
    this.#drawn = []
  }

  #back(): void {
    if (this.#drawn.length > 0) this.#erase(this.#drawn.length)
  }
}

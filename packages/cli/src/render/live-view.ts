/** Lines at the bottom of a terminal that are redrawn, with ordinary output above them. */
export class LiveView {
  readonly #write: (text: string) => void
  readonly #erase: (lines: number) => void
  #drawn: readonly string[] = []

  /** `erase` moves the cursor up by a number of lines and clears everything below it. */
  constructor(write: (text: string) => void, erase: (lines: number) => void) {
    this.#write = write
    this.#erase = erase
  }

  /** Replaces the lines. Each must fit into the width of the terminal. */
  draw(lines: readonly string[]): void {
    this.#back()
    this.#write(lines.map((line) => `${line}\n`).join(''))
    this.#drawn = lines
  }

  /** Writes permanent text above the lines. */
  above(text: string): void {
    const lines = this.#drawn
    this.clear()
    this.#write(text)
    this.draw(lines)
  }

  /** Removes the lines. */
  clear(): void {
    this.#back()
    this.#drawn = []
  }

  #back(): void {
    if (this.#drawn.length > 0) this.#erase(this.#drawn.length)
  }
}

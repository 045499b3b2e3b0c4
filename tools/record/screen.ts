/** Consecutive characters of the same style. */
export interface Span {
  readonly text: string
  /** One of the eight terminal colours, from 0; undefined for the default. */
  readonly color: number | undefined
  readonly bold: boolean
  readonly dim: boolean
}

type Look = Omit<Span, 'text'>

interface Cell extends Look {
  readonly char: string
}

const plain: Look = { color: undefined, bold: false, dim: false }

/** A terminal emulator that holds the visible lines of coloured text. */
export class Screen {
  readonly #lines: Cell[][] = [[]]
  #row = 0
  #column = 0
  #look: Look = plain

  write(text: string): void {
    for (const [piece, , numbers, final] of text.matchAll(pieces)) {
      if (final !== undefined) this.#control(final, numbers ?? '')
      else if (piece === '\n') this.#moveTo(this.#row + 1)
      else if (piece === '\r') this.#column = 0
      else if (piece >= ' ') this.#put(piece)
    }
  }

  /** The lines, without trailing empty ones. */
  lines(): Span[][] {
    const lines = this.#lines.map(spansOf)
    while (lines.length > 0 && lines.at(-1)!.length === 0) lines.pop()
    return lines
  }

  #put(char: string): void {
    const line = this.#lines[this.#row]!
    while (line.length < this.#column) line.push({ char: ' ', ...plain })
    line[this.#column++] = { char, ...this.#look }
  }

  #moveTo(row: number): void {
    this.#row = Math.max(0, row)
    while (this.#lines.length <= this.#row) this.#lines.push([])
  }

  #control(final: string, numbers: string): void {
    const first = Number.parseInt(numbers, 10)
    const count = Number.isNaN(first) ? 1 : first
    if (final === 'm') for (const code of numbers.split(';')) this.#look = lookAfter(this.#look, Number(code))
    if (final === 'A') this.#moveTo(this.#row - count)
    if (final === 'B') this.#moveTo(this.#row + count)
    if (final === 'G') this.#column = count - 1
    if (final === 'K') this.#lines[this.#row]!.length = first === 2 ? 0 : this.#column
    if (final !== 'J') return
    this.#lines[this.#row]!.length = this.#column
    this.#lines.length = this.#row + 1
  }
}

// Matches a control sequence or one character.
const pieces = new RegExp(`${String.fromCharCode(27)}(\\[\\??([\\d;]*)([A-Za-z]))|[\\s\\S]`, 'gu')

function lookAfter(look: Look, code: number): Look {
  if (code === 0) return plain
  if (code === 1) return { ...look, bold: true }
  if (code === 2) return { ...look, dim: true }
  if (code === 22) return { ...look, bold: false, dim: false }
  if (code === 39) return { ...look, color: undefined }
  if (code === 90) return { ...look, color: 0 }
  if (code >= 30 && code <= 37) return { ...look, color: code - 30 }
  return look
}

function spansOf(line: readonly Cell[]): Span[] {
  const spans: { text: string; look: Look }[] = []
  for (const { char, ...look } of line) {
    const last = spans.at(-1)
    if (last !== undefined && isSame(last.look, look)) last.text += char
    else spans.push({ text: char, look })
  }
  const found = spans.map(({ text, look }) => ({ text, ...look }))
  return found.every(({ text }) => text.trim() === '') ? [] : found
}

function isSame(a: Look, b: Look): boolean {
  return a.color === b.color && a.bold === b.bold && a.dim === b.dim
}

/** An aligned table. Where it is too wide, the gaps shrink; lines that are still too wide are cut. */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  columns?: number,
): string {
  const all = [headings, ...rows]
  const widths = headings.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ''))))
  const between = gapFor(widths, columns)
  return all.map((row) => `${fit(lineOf(row, widths, between), columns)}\n`).join('')
}

// Three spaces as in kubectl, fewer where that makes the table fit.
function gapFor(widths: readonly number[], columns = Number.POSITIVE_INFINITY): number {
  const total = widths.reduce((sum, width) => sum + width, 0)
  return [3, 2, 1].find((gap) => total + gap * (widths.length - 1) <= columns) ?? 3
}

/** Cuts a text to a width; an ellipsis marks the cut. */
export function fit(text: string, columns: number | undefined): string {
  if (columns === undefined || widthOf(text) <= columns) return text
  const characters = [...text]
  return `${characters.slice(0, Math.max(0, columns - 1)).join('')}…`
}

/** The number of columns of a text. */
export function widthOf(text: string): number {
  return [...text].length
}

function lineOf(row: readonly string[], widths: readonly number[], between: number): string {
  return row
    .map((cell, column) => cell + ' '.repeat(Math.max(0, widths[column]! - widthOf(cell))))
    .join(' '.repeat(between))
    .trimEnd()
}

/** Rows under headings, aligned; a cell that is too wide for the terminal is cut in the last column alone. */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  columns?: number,
): string {
  const all = [headings, ...rows]
  const widths = headings.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ''))))
  return all.map((row) => `${fit(lineOf(row, widths), columns)}\n`).join('')
}

/** A text that is at most so wide; what is cut off is told by an ellipsis. */
export function fit(text: string, columns: number | undefined): string {
  if (columns === undefined || widthOf(text) <= columns) return text
  const characters = [...text]
  return `${characters.slice(0, Math.max(0, columns - 1)).join('')}…`
}

/** How many columns a text takes. */
export function widthOf(text: string): number {
  return [...text].length
}

function lineOf(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, column) => cell + ' '.repeat(Math.max(0, widths[column]! - widthOf(cell))))
    .join('   ')
    .trimEnd()
}

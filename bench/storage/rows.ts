/** One measured value. */
export interface Row {
  readonly row: string
  readonly value: number
  readonly unit: string
  /** Expected value: a comparison and a number. */
  readonly target?: string
}

/** Prints a table, then one JSON line per row. */
export function printTable(bench: string, rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ row }) => row.length))
  for (const row of rows) {
    const value = `${rounded(row.value)} ${row.unit}`.padStart(16)
    console.log(`${row.row.padEnd(width)}  ${value}  ${(row.target ?? '').padEnd(10)} ${verdict(row)}`)
  }
  for (const row of rows) console.log(JSON.stringify({ bench, ...row, value: rounded(row.value) }))
}

function verdict({ value, target }: Row): string {
  if (target === undefined) return ''
  const [comparison, bound] = target.split(' ')
  const reached = comparison === '<' ? value < Number(bound) : value >= Number(bound)
  return reached ? 'reached' : 'NOT REACHED'
}

function rounded(value: number): number {
  return value >= 100 ? Math.round(value) : Math.round(value * 100) / 100
}

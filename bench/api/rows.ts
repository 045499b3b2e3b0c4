/** One measured value of one server. */
export interface Row {
  readonly row: string
  readonly value: number
  readonly unit: string
  readonly target: string
  readonly note: string
}

/** Collects values and prints each one to stderr as soon as it is known. */
export class Rows {
  readonly subject: string
  readonly all: Row[] = []

  constructor(subject: string) {
    this.subject = subject
  }

  add(row: string, value: number, unit: string, target: string, note: string): void {
    this.all.push({ row, value, unit, target, note })
    process.stderr.write(`${this.subject}: ${row}: ${value.toFixed(1)} ${unit} ${note}\n`)
  }
}

/** Prints the table; with a peer also the ratios. */
export function printRows(own: Rows, peer: Rows | undefined): void {
  const beside = peer === undefined ? '' : `${peer.subject.padStart(16)}${'ratio'.padStart(9)}`
  console.log(`\n${'row'.padEnd(28)}${'value'.padStart(12)} ${'unit'.padEnd(6)}${beside}  ${'target'.padEnd(20)}note`)
  for (const each of own.all) {
    const other = peer?.all.find(({ row }) => row === each.row)
    const compared = peer === undefined ? '' : comparison(each, other)
    const { row, value, unit, target, note } = each
    console.log(
      `${row.padEnd(28)}${value.toFixed(1).padStart(12)} ${unit.padEnd(6)}${compared}  ${target.padEnd(20)}${note}`,
    )
  }
  for (const { subject, all } of [own, ...(peer === undefined ? [] : [peer])])
    for (const each of all) console.log(JSON.stringify({ bench: 'api', subject, ...each }))
}

// Higher is better for rates, lower for everything else.
function comparison({ value, unit }: Row, other: Row | undefined): string {
  if (other === undefined) return ''.padStart(25)
  const ratio = unit === '/s' ? value / other.value : other.value / value
  return `${other.value.toFixed(1).padStart(16)}${`${ratio.toFixed(1)}x`.padStart(9)}`
}

/** Parses CSV: fields separated by commas, quoted when they contain commas, quotes or line breaks. */
export function csvRecords(text: string): string[][] {
  const records: string[][] = []
  for (let at = 0; at < text.length; ) {
    const { record, next } = recordAt(text, at)
    // An empty line is not a record.
    if (record.length > 1 || record[0] !== '') records.push(record)
    at = next
  }
  return records
}

function recordAt(text: string, start: number): { record: string[]; next: number } {
  const record: string[] = []
  for (let at = start; ; ) {
    const { field, next } = text[at] === '"' ? quotedAt(text, at + 1) : plainAt(text, at)
    record.push(field)
    if (text[next] !== ',') return { record, next: next + 1 }
    at = next + 1
  }
}

function plainAt(text: string, start: number): { field: string; next: number } {
  let next = start
  while (next < text.length && text[next] !== ',' && text[next] !== '\n') next++
  const field = text.slice(start, next).replace(/\r$/, '')
  if (field.includes('"')) throw new Error(`cannot read CSV: a quote inside of the unquoted field ${field}`)
  return { field, next }
}

function quotedAt(text: string, start: number): { field: string; next: number } {
  let field = ''
  for (let at = start; at < text.length; at++) {
    if (text[at] !== '"') field += text[at]
    else if (text[at + 1] === '"') field += text[at++]
    else return { field, next: endOfQuoted(text, at + 1) }
  }
  throw new Error('cannot read CSV: a quoted field is not terminated')
}

function endOfQuoted(text: string, at: number): number {
  const next = text[at] === '\r' ? at + 1 : at
  if (next < text.length && text[next] !== ',' && text[next] !== '\n')
    throw new Error('cannot read CSV: text after a quoted field')
  return next
}

/** A case of structured-merge-diff's tables: a type of a schema, and documents under the names of the table's columns. */
export interface MergeCase {
  readonly name: string
  readonly type: string
  readonly schema: string
  /** `triplets`, `validObjects`, …: documents in the order they stand in. */
  readonly columns: Readonly<Record<string, readonly string[]>>
}

/** The cases of a table in Go. The tables are regular: columns with a name, and documents in backquotes. */
export function mergeCasesIn(source: string): MergeCase[] {
  const [table = ''] = /^var \w+Cases = [\s\S]*?^\}\}$/m.exec(source) ?? []
  const starts = [...table.matchAll(/^\}, \{$|^var .*\{\{$/gm)].map(({ index }) => index)
  return starts.map((start, at) => caseFrom(table.slice(start, starts[at + 1])))
}

function caseFrom(text: string): MergeCase {
  const columns: Record<string, string[]> = {}
  let column = ''
  for (const [, name, document, quoted] of text.matchAll(/^\t(\w+):|`([^`]*)`|"((?:[^"\\]|\\.)*)"/gm)) {
    if (name !== undefined) column = name
    else columns[column] = [...(columns[column] ?? []), document ?? quoted ?? '']
  }
  const { name = [''], rootTypeName = [''], schema = [''], ...rest } = columns
  return { name: name[0]!, type: rootTypeName[0]!, schema: schema[0]!, columns: rest }
}

/** A case of structured-merge-diff's test tables: a schema type and documents by column name. */
export interface MergeCase {
  readonly name: string
  readonly type: string
  readonly schema: string
  /** `triplets`, `validObjects`, …: documents in source order. */
  readonly columns: Readonly<Record<string, readonly string[]>>
}

/** Extracts the cases of a Go test table. The tables are regular: named columns and documents in backquotes. */
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

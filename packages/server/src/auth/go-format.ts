/** Go's `%q` of a string; equal to JSON's quoting for names and paths. */
export function quote(text: string): string {
  return JSON.stringify(text)
}

/** Go's `%q` of a list of strings: `["a" "b"]`. */
export function quoteList(texts: readonly string[]): string {
  return `[${texts.map(quote).join(' ')}]`
}

/** Joins error messages as Kubernetes does: without duplicates, in brackets when there are several. */
export function aggregate(problems: readonly string[]): string {
  const distinct = [...new Set(problems)]
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(', ')}]`
}

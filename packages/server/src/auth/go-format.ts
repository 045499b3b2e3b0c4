/** Go's `%q` of a string. JSON's quoting is the same for what names and paths hold. */
export function quote(text: string): string {
  return JSON.stringify(text)
}

/** Go's `%q` of a list of strings: `["a" "b"]`. */
export function quoteList(texts: readonly string[]): string {
  return `[${texts.map(quote).join(' ')}]`
}

/** Several problems in one text, as Kubernetes joins them: each once, in brackets when there are several. */
export function aggregate(problems: readonly string[]): string {
  const distinct = [...new Set(problems)]
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(', ')}]`
}

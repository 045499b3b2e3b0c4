import { formatText } from './format-text.ts'
import { FunctionFailure, type FunctionTable, type Int } from './function-table.ts'

/** What Kubernetes' string extension has beyond the library's own. */
export const stringFunctions: FunctionTable = {
  'string.charAt(int): string': (text: string, at: Int) => {
    const characters = [...text]
    if (at < 0n || at > characters.length) throw new FunctionFailure(`index out of range: ${at}`)
    return characters[Number(at)] ?? ''
  },
  'string.replace(string, string): string': (text: string, old: string, by: string) => text.replaceAll(old, () => by),
  'string.replace(string, string, int): string': replaceSome,
  'string.format(list): string': (text: string, values: readonly unknown[]) => formatText(text, values),
  'string.reverse(): string': (text: string) => [...text].reverse().join(''),
}

/** `strings.quote(text)` */
export const stringsNamespace: FunctionTable = {
  'quote(string): string': (text: string) => JSON.stringify(text),
}

function replaceSome(text: string, old: string, by: string, limit: Int): string {
  if (limit < 0n) return text.replaceAll(old, () => by)
  let left = Number(limit)
  return text.replaceAll(old, (match) => (left-- > 0 ? by : match))
}

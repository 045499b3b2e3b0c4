import type { SyntaxProblem } from './cel/syntax/syntax.ts'

/** Formats errors as cel-go does, each with the source line and a marker below it. */
export function problemsText(text: string, problems: readonly SyntaxProblem[]): string {
  const shown = problems.toSorted((a, b) => a.at - b.at).map((problem) => problemText(text, problem))
  const more = shown.length - maxProblems
  return more > 0 ? [...shown.slice(0, maxProblems), `${more} more errors were truncated`].join('\n') : shown.join('\n')
}

// cel-go's limits of a report.
const maxProblems = 100
const maxLineBytes = 16_384

function problemText(text: string, { at, message }: SyntaxProblem): string {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  const lead = [...before.slice(before.lastIndexOf('\n') + 1)]
  const head = `ERROR: <input>:${line}:${lead.length + 1}: ${message}`
  const source = text.split('\n')[line - 1] ?? ''
  if (Buffer.byteLength(source) > maxLineBytes) return head
  const pointer = lead.map((character) => (isWide(character) ? '．' : '.')).join('')
  const mark = isWide([...source][lead.length] ?? '') ? '＾' : '^'
  return `${head}\n | ${source.replaceAll('\t', ' ')}\n | ${pointer}${mark}`
}

// cel-go puts a full-width dot below every character of more than one byte.
function isWide(character: string): boolean {
  return character !== '' && character.codePointAt(0)! > 127
}

import type { SyntaxProblem } from './cel/syntax.ts'

/** Problems as cel-go prints them, each pointing at its place in the text. */
export function problemsText(text: string, problems: readonly SyntaxProblem[]): string {
  const shown = problems.toSorted((a, b) => a.at - b.at).map((problem) => problemText(text, problem))
  const more = shown.length - mostProblems
  return more > 0
    ? [...shown.slice(0, mostProblems), `${more} more errors were truncated`].join('\n')
    : shown.join('\n')
}

const mostProblems = 100

const longestLine = 16_384

function problemText(text: string, { at, message }: SyntaxProblem): string {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  const lead = [...before.slice(before.lastIndexOf('\n') + 1)]
  const head = `ERROR: <input>:${line}:${lead.length + 1}: ${message}`
  const source = text.split('\n')[line - 1] ?? ''
  if (Buffer.byteLength(source) > longestLine) return head
  const pointer = lead.map((character) => (isWide(character) ? '．' : '.')).join('')
  const mark = isWide([...source][lead.length] ?? '') ? '＾' : '^'
  return `${head}\n | ${source.replaceAll('\t', ' ')}\n | ${pointer}${mark}`
}

// Characters of more than one byte stand under dots that are as wide as they are.
function isWide(character: string): boolean {
  return character !== '' && character.codePointAt(0)! > 127
}

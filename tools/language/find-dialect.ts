// Finds sentences that an engineer new to the repository can't understand at first sight (CONTRIBUTING.md, "Language").

/** One sentence or word to rewrite. */
export interface Finding {
  readonly line: number
  readonly text: string
}

// Comments and string literals, in one pass so that a quote in a comment or a slash in a string opens nothing.
const token =
  /\/\*[\s\S]*?\*\/|(?:\/\/[^\n]*(?:\n[ \t]*(?=\/\/))?)+|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g
const unclearOpening = /^(What|Who|Whoever|Whether|That)\b(?!')/
const unclearWord =
  /\b(somebody|nobody|anybody|whoever|mend(?:ed|s|ing)?|in words|(?:hang|hangs|hung) on|(?:is|are) told|be nobody's)\b/i

/** Finds comment sentences that start with a pronoun instead of the thing they describe. */
export function unclearComments(source: string): Finding[] {
  return tokens(source)
    .filter(({ text }) => text.startsWith('/'))
    .flatMap(({ line, text }) => sentencesOf(text).map((sentence) => ({ line, text: sentence })))
    .filter(({ text }) => unclearOpening.test(text))
}

/** Finds words of the list in the messages of a program. A string without a space is a name, such as the user `nobody`. */
export function unclearStrings(source: string): Finding[] {
  return tokens(source).filter(({ text }) => !text.startsWith('/') && text.includes(' ') && unclearWord.test(text))
}

/**
 * Finds words of the list and unclear openings of sentences in prose. Code blocks and code spans are left out. A question and a
 * heading may begin with a pronoun, such as "Who acts".
 */
export function unclearProse(markdown: string): Finding[] {
  const text = withoutCode(markdown)
  const words = text
    .split('\n')
    .map((line, index) => ({ line: index + 1, text: line }))
    .filter(({ text: line }) => unclearWord.test(line))
  const openings = paragraphsOf(text.replaceAll(/^#+ .*$/gm, '')).flatMap(({ line, text: paragraph }) =>
    sentencesOf(paragraph)
      .filter((sentence) => unclearOpening.test(sentence) && !sentence.endsWith('?'))
      .map((sentence) => ({ line, text: sentence })),
  )
  return [...words, ...openings].sort((a, b) => a.line - b.line)
}

/** Finds names of tests that begin with a pronoun instead of the thing whose behaviour they state. */
export function unclearTestNames(source: string): Finding[] {
  let line = 1
  let counted = 0
  return [...source.matchAll(testName)].flatMap(({ groups, index }) => {
    for (; counted < index; counted++) if (source.charCodeAt(counted) === 10) line++
    const name = groups!.name!
    return /^(what|that|whether|who|whoever)\b/i.test(name) ? [{ line, text: name }] : []
  })
}

const testName = /\b(?:test|it|describe)(?:\.\w+(?:\([^()]*\))?)*\(\s*(['"`])(?<name>(?:(?!\1).)*)\1/g

// Keeps the number of lines, so that findings have the right one.
function withoutCode(markdown: string): string {
  const blank = (block: string) => block.replace(/[^\n]/g, '')
  return markdown
    .replace(/^([ \t]*)```[\s\S]*?^\1```/gm, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/`[^`\n]*`/g, (span) => '_'.repeat(span.length))
}

// Paragraphs, items of lists and cells of tables; each starts a sentence of its own.
function paragraphsOf(text: string): Finding[] {
  const found: Finding[] = []
  let last: { line: number; text: string } | undefined
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*\|/.test(line)) {
      last = undefined
      found.push(...line.split('|').map((cell) => ({ line: index + 1, text: cell.trim() })))
    } else if (line.trim() === '') last = undefined
    else if (last === undefined || /^\s*(?:[-*]|\d+\.) /.test(line)) {
      last = { line: index + 1, text: line.trim().replace(/^(?:[-*]|\d+\.) /, '') }
      found.push(last)
    } else last.text += ` ${line.trim()}`
  }
  return found
}

function tokens(source: string): Finding[] {
  let line = 1
  let counted = 0
  return [...source.matchAll(token)].map(({ 0: text, index }) => {
    for (; counted < index; counted++) if (source.charCodeAt(counted) === 10) line++
    return { line, text }
  })
}

function sentencesOf(comment: string): string[] {
  return comment
    .replace(/^\/\*+|\*\/$/g, '')
    .replace(/^[ \t]*(?:\/\/|\*)/gm, '')
    .split(/(?<=[.!?:;])\s+/)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
}

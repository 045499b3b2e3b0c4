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
const unclearWord = /\b(somebody|nobody|whoever|mend(?:ed|s|ing)?)\b/i

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

/** Finds words of the list in prose. */
export function unclearProse(markdown: string): Finding[] {
  return markdown
    .split('\n')
    .map((text, index) => ({ line: index + 1, text }))
    .filter(({ text }) => unclearWord.test(text))
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

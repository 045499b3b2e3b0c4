/** A fenced block of a guide and its instruction. */
export interface CodeBlock {
  /** The line of its opening fence, from 1. */
  readonly line: number
  readonly language: string
  readonly text: string
  /** The comment directly above: `not run: WHY`, `fails`, or empty. */
  readonly note: string
}

/** An executed block of a guide, with the output that the guide shows after it. */
export interface Step {
  readonly line: number
  readonly commands: string
  readonly fails: boolean
  /** Lines that the output must contain in this order; `…` matches anything. */
  readonly shows: readonly string[]
}

/** Every fenced block of a document, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  const lines = markdown.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', language] = /^(\s*)```(\S*)/.exec(lines[at]!) ?? []
    if (language === undefined) continue
    const end = lines.findIndex((line, index) => index > at && line.trim() === '```')
    const body = lines.slice(at + 1, end).map((line) => line.slice(indent.length))
    blocks.push({ line: at + 1, language, text: body.join('\n'), note: noteAbove(lines, at) })
    at = end
  }
  return blocks
}

/** The executed blocks of a document: every `sh` block without `not run`, and the `text` block after it as its expected output. */
export function stepsOf(markdown: string): Step[] {
  const steps: Step[] = []
  let last: Step | undefined
  for (const { line, language, text, note } of codeBlocks(markdown)) {
    if (language === 'text' && last !== undefined)
      steps[steps.length - 1] = { ...last, shows: text.split('\n').filter((shown) => shown.trim() !== '') }
    last = undefined
    if (language !== 'sh' || note.startsWith('not run:')) continue
    last = { line, commands: text, fails: note === 'fails', shows: [] }
    steps.push(last)
  }
  return steps
}

/** The first expected line that is missing in the output; undefined if there is none. */
export function missingLine(shows: readonly string[], output: string): string | undefined {
  const lines = output.split('\n').map(squeezed)
  let from = 0
  for (const shown of shows) {
    const pattern = new RegExp(`^${squeezed(shown).split(/ ?… ?/).map(escaped).join('.*')}$`)
    const found = lines.findIndex((line, index) => index >= from && pattern.test(line))
    if (found < 0) return shown
    from = found + 1
  }
  return undefined
}

function noteAbove(lines: readonly string[], at: number): string {
  let above = at - 1
  while (above >= 0 && lines[above]!.trim() === '') above--
  return /^\s*<!-- (.*) -->$/.exec(lines[above] ?? '')?.[1] ?? ''
}

// Column widths depend on the values, so runs of blanks are equal.
function squeezed(line: string): string {
  return line.trim().replaceAll(/\s+/g, ' ')
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** The server flags of a guide: `<!-- server: --allow-local-scripts -->`. */
export function serverFlags(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^<!-- server: (.+) -->$/gm)].flatMap(([, flags]) => flags!.split(' '))
}

import { skipQuoted } from './skip-quoted.ts'
import { TemplateError } from './template.ts'

/** An expression whose `[*]`, which CEL's grammar lacks, is replaced by the field `__` without moving other characters. */
export interface SplatSource {
  readonly text: string
  /** The end offsets of the replaced fields. */
  readonly ends: ReadonlySet<number>
}

/** The field that replaces `[*]`. A user may also write it, so `ends` decides. */
export const splatField = '__'

/** Replaces `[*]` outside of strings, keeping the length of the text. */
export function replaceSplats(source: string): SplatSource {
  if (!splat.test(source)) return { text: source, ends: none }
  const ends = new Set<number>()
  let text = ''
  let from = 0
  for (let at = 0; at < source.length; at++) {
    const after = skipQuoted(source, at) ?? source.length
    if (after > at) {
      at = after - 1
      continue
    }
    const match = source[at] === '[' ? splatHere(source, at) : undefined
    if (match === undefined) continue
    text += `${source.slice(from, at)}.${splatField}${' '.repeat(match.length - 3)}`
    ends.add(at + 3)
    from = at + match.length
    at = from - 1
    if (/\w/.test(source[from] ?? '')) throw new TemplateError('[*] must be followed by a dot or an index', from)
  }
  return { text: text + source.slice(from), ends }
}

const splat = /\[\s*\*\s*\]/
const none: ReadonlySet<number> = new Set()

function splatHere(source: string, at: number): string | undefined {
  const match = /^\[\s*\*\s*\]/.exec(source.slice(at, at + 100))
  return match?.[0]
}

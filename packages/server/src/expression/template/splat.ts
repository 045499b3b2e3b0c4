import { skipQuoted } from './skip-quoted.ts'
import { TemplateError } from './template.ts'

/** An expression whose `[*]`, which CEL has not, were written as selections of a field `__`, place for place. */
export interface SplatSource {
  readonly text: string
  /** Where each of these selections ends. */
  readonly ends: ReadonlySet<number>
}

/** The name that stands for `[*]`. A selection of it is one only where `ends` says so. */
export const splatField = '__'

/** Writes `[*]` so that CEL can read it. The text keeps its length, and what is in strings stays. */
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
    if (/\w/.test(source[from] ?? '')) throw new TemplateError('after [*] comes a dot or an index', from)
  }
  return { text: text + source.slice(from), ends }
}

const splat = /\[\s*\*\s*\]/
const none: ReadonlySet<number> = new Set()

function splatHere(source: string, at: number): string | undefined {
  const match = /^\[\s*\*\s*\]/.exec(source.slice(at, at + 100))
  return match?.[0]
}

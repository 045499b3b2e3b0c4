import { align } from './align.ts'
import type { Primitive, ValueAction } from './difference.ts'

/** A quoted string in the syntax of a configuration. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('${', '$${').replaceAll('%{', '%%{')
}

/** The parsed documents of strings that contain JSON objects or lists; undefined for other strings. */
export function jsonOf({ before, after }: Primitive): { before: unknown; after: unknown } | undefined {
  const documents = [before, after].map(documentOf)
  return documents.includes(noDocument) || documents.every((each) => each === undefined)
    ? undefined
    : { before: documents[0], after: documents[1] }
}

/** The marked lines of a string with several lines; undefined when both sides have one line. */
export function multiLineText(
  { before, after, action }: Primitive,
  indent: number,
  markOf: (action: ValueAction) => string,
): string | undefined {
  const [left, right] = [linesOf(before), linesOf(after)]
  if (left.length < 2 && right.length < 2) return undefined
  const start = '    '.repeat(indent + 1)
  const write = (each: ValueAction, text: string) => `${start}${markOf(each)}${text}`
  if (action !== 'update') return (action === 'delete' ? left : right).map((text) => write('none', text)).join('\n')
  return align(left, right, () => false)
    .map(([was, is]) => {
      if (was === undefined) return write('create', right[is!]!)
      return is === undefined ? write('delete', left[was]!) : write('none', left[was]!)
    })
    .join('\n')
}

const noDocument = Symbol('no document')

function documentOf(value: unknown): unknown {
  if (value == null) return undefined
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return noDocument
  try {
    return JSON.parse(value) as unknown
  } catch {
    return noDocument
  }
}

function linesOf(value: unknown): string[] {
  return typeof value === 'string' ? value.replace(/\n$/, '').split('\n') : value == null ? [] : [String(value)]
}

import type { Style } from '../style.ts'
import { compareDocuments } from './compare.ts'
import type { Difference, Mapping, Primitive, Sequence, Structure, ValueAction } from './difference.ts'
import { jsonOf, multiLineText, quoted } from './text-value.ts'

/** Options for writing a difference. */
export interface Writing {
  readonly style: Style
  /** The depth, in steps of four columns. */
  readonly indent: number
  /** Leaves out `-> null`, inside of a value that is removed as a whole. */
  readonly quiet: boolean
  /** Writes unchanged values too. */
  readonly whole: boolean
}

/** A difference in Terraform's format, without the beginning of the line. */
export function writeDifference(difference: Difference, writing: Writing): string {
  switch (difference.kind) {
    case 'primitive':
      return writePrimitive(difference, writing)
    case 'unknown': {
      const { before } = difference
      const shown =
        before === undefined
          ? ''
          : `${writeDifference(before, { ...writing, quiet: true, whole: true })} ${arrow(writing)} `
      return `${shown}(known after apply)${replacement(difference, writing)}`
    }
    case 'sensitive':
      return `(sensitive value)${goes(difference, writing)}${replacement(difference, writing)}`
    case 'type-change': {
      const quiet = { ...writing, quiet: true, whole: true }
      const [before, after] = [writeDifference(difference.before, quiet), writeDifference(difference.after, quiet)]
      return `${before} ${arrow(writing)} ${after}${replacement(difference, writing)}`
    }
    case 'sequence':
      return writeSequence(difference, writing)
    case 'mapping':
      return writeMapping(difference, writing)
    case 'structure':
      return difference.blocks.size === 0 ? writeObject(difference, writing) : writeBlock(difference, writing)
    default:
      return difference satisfies never
  }
}

/** A block, from its opening brace on. */
export function writeBlock(block: Structure, writing: Writing): string {
  const { attributes, blocks } = block
  if (attributes.size === 0 && blocks.size === 0) return `{}${replacement(block, writing)}`
  const lines = [`{${replacement(block, writing)}`, ...attributeLines(attributes, writing, { quiet: writing.quiet })]
  let hidden = 0
  for (const [name, each] of blocks) {
    const shown = each.filter(({ action }) => action !== 'none' || writing.whole)
    hidden += each.length - shown.length
    if (shown.length > 0 && attributes.size > 0) lines.push('')
    for (const inner of shown)
      lines.push(line(inner.action, writing, `${name} ${writeBlock(inner as Structure, deeper(writing))}`))
  }
  if (hidden > 0) lines.push('', folded(hidden, 'block', writing))
  return [...lines, closing('}', writing)].join('\n')
}

/** The mark in front of a line, four columns wide. */
export function markOf(action: ValueAction, { red, green, yellow }: Style): string {
  switch (action) {
    case 'create':
      return `  ${green('+')} `
    case 'delete':
      return `  ${red('-')} `
    case 'update':
      return `  ${yellow('~')} `
    case 'none':
      return '    '
    default:
      return action satisfies never
  }
}

// Attributes that identify a resource are shown also when they do not change.
const important: ReadonlySet<string> = new Set(['id', 'name', 'tags'])

function attributeLines(
  attributes: ReadonlyMap<string, Difference>,
  writing: Writing,
  { quiet }: { readonly quiet: boolean },
): string[] {
  const keys = [...attributes.keys()].map(nameOf)
  const width = Math.max(0, ...keys.map((key) => key.length))
  const lines: string[] = []
  let hidden = 0
  for (const [index, [key, value]] of [...attributes].entries()) {
    const isImportant = important.has(key)
    if (value.action === 'none' && !writing.whole && !isImportant) {
      hidden++
      continue
    }
    const inner = { ...deeper(writing), quiet, whole: writing.whole || isImportant }
    lines.push(line(value.action, writing, `${keys[index]!.padEnd(width)} = ${writeDifference(value, inner)}`))
  }
  if (hidden > 0) lines.push(folded(hidden, 'attribute', writing))
  return lines
}

function writeObject(object: Structure, writing: Writing): string {
  const { attributes } = object
  if (attributes.size === 0) return `{}${goes(object, writing)}${replacement(object, writing)}`
  const lines = [`{${replacement(object, writing)}`, ...attributeLines(attributes, writing, { quiet: true })]
  return [...lines, `${closing('}', writing)}${goes(object, writing)}`].join('\n')
}

function writeMapping(map: Mapping, writing: Writing): string {
  const { elements, action } = map
  if (elements.size === 0) return `{}${goes(map, writing)}${replacement(map, writing)}`
  const width = Math.max(...[...elements.keys()].map((key) => quoted(key).length))
  const lines = [`{${replacement(map, writing)}`]
  let hidden = 0
  for (const [key, value] of elements) {
    if (value.action === 'none' && !writing.whole) {
      hidden++
      continue
    }
    const inner = { ...deeper(writing), quiet: writing.quiet || action !== 'update' }
    lines.push(line(value.action, writing, `${quoted(key).padEnd(width)} = ${writeDifference(value, inner)}`))
  }
  if (hidden > 0) lines.push(folded(hidden, 'element', writing))
  return [...lines, `${closing('}', writing)}${goes(map, writing)}`].join('\n')
}

// Order matters in a list, so the elements next to a change are shown.
function writeSequence(list: Sequence, writing: Writing): string {
  const { elements } = list
  if (elements.length === 0) return `[]${goes(list, writing)}${replacement(list, writing)}`
  const lines = [`[${replacement(list, writing)}`]
  let same: Difference[] = []
  let showNext = false
  const element = (value: Difference, whole: boolean) =>
    line(value.action, writing, `${writeDifference(value, { ...deeper(writing), quiet: true, whole })},`)
  for (const value of elements) {
    if (value.action === 'none' && !showNext && !writing.whole) {
      same.push(value)
      continue
    }
    if (same.length > 1) lines.push(folded(same.length - 1, 'element', writing))
    if (same.length > 0) lines.push(element(same.at(-1)!, true))
    same = []
    showNext = value.action !== 'none'
    lines.push(element(value, writing.whole || value.action === 'none'))
  }
  if (same.length > 0) lines.push(folded(same.length, 'element', writing))
  return [...lines, `${closing(']', writing)}${goes(list, writing)}`].join('\n')
}

function writePrimitive(value: Primitive, writing: Writing): string {
  const { before, after, action } = value
  const document = jsonOf(value)
  if (document !== undefined) return writeDocument(value, document, writing)
  const text = multiLineText(value, writing.indent, (each) => markOf(each, writing.style))
  if (text !== undefined)
    return `<<-EOT${replacement(value, writing)}\n${text}\n${closing('EOT', writing)}${goes(value, writing)}`
  const shown = action === 'delete' || action === 'none' ? before : after
  if (action !== 'update') return `${scalar(shown, writing)}${goes(value, writing)}${replacement(value, writing)}`
  return `${scalar(before, writing)} ${arrow(writing)} ${scalar(after, writing)}${replacement(value, writing)}`
}

function writeDocument(
  value: Primitive,
  { before, after }: { readonly before: unknown; readonly after: unknown },
  writing: Writing,
): string {
  const difference = compareDocuments(before, after)
  const isSpace = difference.action === 'none' && value.action === 'update'
  const space = isSpace
    ? writing.style.gray(value.replaces ? ' # whitespace changes force replacement' : ' # whitespace changes')
    : ''
  const forced = isSpace ? '' : replacement(value, writing)
  const text = writeDifference(asNamed(difference), { ...deeper(writing), quiet: true })
  if (!text.includes('\n')) return `jsonencode(${text}${space})${forced}${goes(value, writing)}`
  const mark = value.action === 'update' ? markOf(difference.action, writing.style) : '    '
  return `jsonencode(${space}\n${spaces(writing.indent + 1)}${mark}${text}${forced}\n${closing(')', writing)}${goes(value, writing)}`
}

// In JSON documents every object is written with attribute names.
function asNamed(difference: Difference): Difference {
  if (difference.kind === 'mapping') {
    const attributes = new Map([...difference.elements].map(([key, value]) => [key, asNamed(value)]))
    return { ...difference, kind: 'structure', attributes, blocks: new Map() }
  }
  if (difference.kind === 'sequence') return { ...difference, elements: difference.elements.map(asNamed) }
  if (difference.kind !== 'structure') return difference
  return { ...difference, attributes: new Map([...difference.attributes].map(([key, value]) => [key, asNamed(value)])) }
}

function scalar(value: unknown, { style }: Writing): string {
  if (typeof value === 'string') return quoted(value)
  return value == null ? style.gray('null') : String(value)
}

function nameOf(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? key : quoted(key)
}

function line(action: ValueAction, { indent, style }: Writing, text: string): string {
  return `${spaces(indent + 1)}${markOf(action, style)}${text}`
}

function closing(bracket: string, { indent }: Writing): string {
  return `${spaces(indent)}    ${bracket}`
}

function folded(count: number, what: string, { indent, style }: Writing): string {
  return `${spaces(indent + 1)}    ${style.gray(`# (${count} unchanged ${what}${count === 1 ? '' : 's'} hidden)`)}`
}

function goes({ action }: Difference, { quiet, style }: Writing): string {
  return action === 'delete' && !quiet ? ` ${style.gray('-> null')}` : ''
}

function replacement({ replaces }: Difference, { style }: Writing): string {
  return replaces ? ` ${style.red('# forces replacement')}` : ''
}

function arrow({ style }: Writing): string {
  return style.yellow('->')
}

function deeper(writing: Writing): Writing {
  return { ...writing, indent: writing.indent + 1 }
}

function spaces(indent: number): string {
  return '    '.repeat(indent)
}

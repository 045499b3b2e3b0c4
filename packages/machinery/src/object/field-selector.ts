import { compareUtf8 } from '../json/index.ts'
import { SelectorError } from './selector-error.ts'

/** One condition on one field. */
export interface FieldRequirement {
  readonly field: string
  readonly operator: '=' | '!='
  readonly value: string
}

/** The set of objects whose fields meet every requirement; no requirement selects all. */
export type FieldSelector = readonly FieldRequirement[]

/** Reads a selector as query parameters write it: `metadata.name=a,status.phase!=b`, with `\` before `\`, `,` and `=`. */
export function fieldSelectorFromText(text: string): FieldSelector {
  const requirements: FieldRequirement[] = []
  for (const term of termsOf(text).sort(compareUtf8)) {
    if (term === '') continue
    const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term)
    if (match === null) throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`)
    const [, field = '', operator, value = ''] = match
    // Kubernetes drops a term that says nothing at all.
    if (field === '' && value === '') continue
    requirements.push({ field, operator: operator === '!=' ? '!=' : '=', value: unescaped(value) })
  }
  return requirements
}

/** A selector in the form that is read again as the same selector. */
export function fieldSelectorToText(selector: FieldSelector): string {
  return selector.map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`).join(',')
}

/** A value with `\` before what has a meaning in selectors. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&')
}

/** Whether a selector selects an object, given a way to read its fields; a field that is not there reads as ''. */
export function selectsFields(selector: FieldSelector, read: (field: string) => string | undefined): boolean {
  return selector.every(({ field, operator, value }) => ((read(field) ?? '') === value) === (operator === '='))
}

/** The value that a selector demands of a field; undefined when it leaves a choice. */
export function demandedField(selector: FieldSelector, field: string): string | undefined {
  return selector.find((requirement) => requirement.field === field && requirement.operator === '=')?.value
}

/** Splits at commas that have no backslash before them. */
function termsOf(text: string): string[] {
  if (text === '') return []
  const terms: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === ',') {
      terms.push(text.slice(start, at))
      start = at + 1
    }
  }
  terms.push(text.slice(start))
  return terms
}

function unescaped(value: string): string {
  if (!/[\\,=]/.test(value)) return value
  let result = ''
  for (let at = 0; at < value.length; at++) {
    const character = value[at]!
    if (character === ',' || character === '=') {
      const code = character.charCodeAt(0)
      throw new SelectorError(`invalid field selector: unescaped character in value: ${code}`)
    }
    if (character !== '\\') {
      result += character
      continue
    }
    const escaped = [...value.slice(at + 1, at + 3)][0] ?? ''
    if (escaped === '' || !'\\,='.includes(escaped)) {
      throw new SelectorError(`invalid field selector: invalid escape sequence: \\${escaped}`)
    }
    result += escaped
    at++
  }
  return result
}

import { compareUtf8 } from '../base/index.ts'
import { SelectorError } from './selector-error.ts'

/** One condition on one field. */
export interface FieldRequirement {
  readonly field: string
  readonly operator: '=' | '!='
  readonly value: string
}

/** A conjunction of requirements on fields; an empty selector selects all objects. */
export type FieldSelector = readonly FieldRequirement[]

/** Parses a `fieldSelector` query parameter: `metadata.name=a,status.phase!=b`, with `\`, `,` and `=` escaped by `\`. */
export function fieldSelectorFromText(text: string): FieldSelector {
  const requirements: FieldRequirement[] = []
  for (const term of termsOf(text).sort(compareUtf8)) {
    if (term === '') continue
    const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term)
    if (match === null) throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`)
    const [, field = '', operator, value = ''] = match
    // Kubernetes ignores a term with neither a field nor a value.
    if (field === '' && value === '') continue
    requirements.push({ field, operator: operator === '!=' ? '!=' : '=', value: unescaped(value) })
  }
  return requirements
}

/** Matches an object against a selector. `read` returns the value of a field; an absent field counts as ''. */
export function selectsFields(selector: FieldSelector, read: (field: string) => string | undefined): boolean {
  return selector.every(({ field, operator, value }) => ((read(field) ?? '') === value) === (operator === '='))
}

/** Returns the only value that the selector allows for a field, so that a list can become a lookup by name. */
export function exactFieldValue(selector: FieldSelector, field: string): string | undefined {
  return selector.find((requirement) => requirement.field === field && requirement.operator === '=')?.value
}

/** Splits at commas that are not escaped. */
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

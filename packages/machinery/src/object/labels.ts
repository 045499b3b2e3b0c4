import type { StatusCause } from '../status/index.ts'
import { invalidValue, tooLong } from './field-error.ts'
import { dns1123SubdomainProblems, lengthProblems, patternProblem } from './names.ts'

/** The most bytes that the keys and values of all annotations of an object may have together. */
export const maximumAnnotationBytes = 256 * 1024

/** What is wrong with a label key (a qualified name: `[prefix/]name`), in Kubernetes' words; empty when nothing is. */
export function labelKeyProblems(key: string): string[] {
  const parts = key.split('/')
  if (parts.length > 2) {
    return [
      `a valid label key ${namePattern} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  const name = parts.at(-1)!
  const problems = parts.length === 2 ? prefixProblems(parts[0]!) : []
  if (name === '') problems.push('name part must be non-empty')
  for (const problem of lengthProblems(name, 63)) problems.push(`name part ${problem}`)
  if (!isLabelName(name)) problems.push(`name part ${namePattern}`)
  return problems
}

/** What is wrong with a label value, in Kubernetes' words; empty when nothing is. */
export function labelValueProblems(value: string): string[] {
  const problems = lengthProblems(value, 63)
  if (value !== '' && !isLabelName(value)) {
    problems.push(
      patternProblem(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
        `(${labelPattern})?`,
        'MyValue',
        'my_value',
        '12345',
      ),
    )
  }
  return problems
}

/** What is wrong with labels at a field. */
export function validateLabels(labels: Readonly<Record<string, string>>, field: string): StatusCause[] {
  const causes: StatusCause[] = []
  for (const [key, value] of Object.entries(labels)) {
    for (const problem of labelKeyProblems(key)) causes.push(invalidValue(field, key, problem))
    for (const problem of labelValueProblems(value)) causes.push(invalidValue(field, value, problem))
  }
  return causes
}

/** What is wrong with annotations at a field. Their keys may have capitals anywhere; their values are free. */
export function validateAnnotations(annotations: Readonly<Record<string, string>>, field: string): StatusCause[] {
  const causes: StatusCause[] = []
  for (const key of Object.keys(annotations)) {
    for (const problem of labelKeyProblems(key.toLowerCase())) causes.push(invalidValue(field, key, problem))
  }
  if (annotationBytes(annotations) > maximumAnnotationBytes) causes.push(tooLong(field, maximumAnnotationBytes))
  return causes
}

/** The bytes that the keys and values of annotations have together. */
export function annotationBytes(annotations: Readonly<Record<string, string>>): number {
  let total = 0
  for (const [key, value] of Object.entries(annotations)) total += utf8Length(key) + utf8Length(value)
  return total
}

const labelPattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const namePattern = patternProblem(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelPattern,
  'MyName',
  'my.name',
  '123-abc',
)

function isLabelName(name: string): boolean {
  return /^[-A-Za-z0-9_.]+$/.test(name) && /^[A-Za-z0-9]/.test(name) && /[A-Za-z0-9]$/.test(name)
}

function prefixProblems(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty']
  return dns1123SubdomainProblems(prefix).map((problem) => `prefix part ${problem}`)
}

function utf8Length(text: string): number {
  let length = text.length
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code >= 0x80) length += code >= 0x800 && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return length
}

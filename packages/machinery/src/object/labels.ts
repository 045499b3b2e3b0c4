import type { StatusCause } from '../status/index.ts'
import { invalidValue, tooLong } from './field-error.ts'
import { dns1123SubdomainProblems, lengthProblems, patternProblem } from './names.ts'

/** The limit on all annotation keys and values of an object together, in bytes. */
export const maximumAnnotationBytes = 256 * 1024

/** Validates a label key, a qualified name `[prefix/]name`, and returns Kubernetes' messages; empty when it is valid. */
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

/** Validates a label value and returns Kubernetes' messages; empty when it is valid. */
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

/** Validates the keys and values of labels; `field` is the path in the causes. */
export function validateLabels(labels: Readonly<Record<string, string>>, field: string): StatusCause[] {
  const causes: StatusCause[] = []
  for (const [key, value] of Object.entries(labels)) {
    for (const problem of labelKeyProblems(key)) causes.push(invalidValue(field, key, problem))
    for (const problem of labelValueProblems(value)) causes.push(invalidValue(field, value, problem))
  }
  return causes
}

/** Validates annotations. Unlike labels, the prefix of a key may have capitals, and values are only limited in size. */
export function validateAnnotations(annotations: Readonly<Record<string, string>>, field: string): StatusCause[] {
  const causes: StatusCause[] = []
  for (const key of Object.keys(annotations)) {
    for (const problem of labelKeyProblems(key.toLowerCase())) causes.push(invalidValue(field, key, problem))
  }
  if (annotationBytes(annotations) > maximumAnnotationBytes) causes.push(tooLong(field, maximumAnnotationBytes))
  return causes
}

/** Returns the size of all annotation keys and values together, in bytes of UTF-8. */
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

// Counts without encoding. A surrogate adds one byte to its code unit, so that a pair makes four.
function utf8Length(text: string): number {
  let length = text.length
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code >= 0x80) length += code >= 0x800 && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return length
}

/**
 * Validates a name and returns Kubernetes' messages; empty when the name is valid. With 'prefix' the name is a
 * `generateName`, to which characters will be appended.
 */
export type NameRule = (name: string, prefix?: 'prefix') => readonly string[]

/** The rule for most kinds: a DNS-1123 subdomain. */
export const dnsSubdomainName: NameRule = (name, prefix) => dns1123SubdomainProblems(asName(name, prefix))

/** The rule for namespaces and a few other kinds: a DNS-1123 label. */
export const dnsLabelName: NameRule = (name, prefix) => dns1123LabelProblems(asName(name, prefix))

/** The rule for Services before release 1.34 and a few other names: a DNS-1035 label. */
export const dns1035LabelName: NameRule = (name, prefix) => dns1035LabelProblems(asName(name, prefix))

/** The rule for RBAC kinds: any text that can be a path segment of a URL. */
export const pathSegmentName: NameRule = (name, prefix) => {
  if (prefix === undefined && (name === '.' || name === '..')) return [`may not be '${name}'`]
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`)
}

export function dns1123LabelProblems(value: string): string[] {
  const problems = lengthProblems(value, 63)
  if (dns1123Label.test(value)) return problems
  if (dns1123Subdomain.test(value)) return [...problems, 'must not contain dots']
  return [
    ...problems,
    patternProblem(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
      dns1123LabelPattern,
      'my-name',
      '123-abc',
    ),
  ]
}

export function dns1123SubdomainProblems(value: string): string[] {
  const problems = lengthProblems(value, 253)
  if (dns1123Subdomain.test(value)) return problems
  return [
    ...problems,
    patternProblem(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
      dns1123SubdomainPattern,
      'example.com',
    ),
  ]
}

export function dns1035LabelProblems(value: string): string[] {
  const problems = lengthProblems(value, 63)
  if (dns1035Label.test(value)) return problems
  return [
    ...problems,
    patternProblem(
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
      dns1035LabelPattern,
      'my-name',
      'abc-123',
    ),
  ]
}

/** Validates a key of a ConfigMap or a Secret. A key becomes a file name, hence the rules about leading dots. */
export function configMapKeyProblems(value: string): string[] {
  const problems = lengthProblems(value, 253)
  if (!/^[-._a-zA-Z0-9]+$/.test(value)) {
    problems.push(
      patternProblem(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
        '[-._a-zA-Z0-9]+',
        'key.name',
        'KEY_NAME',
        'key-name',
      ),
    )
  }
  if (value === '.' || value === '..') problems.push(`must not be '${value}'`)
  else if (value.startsWith('..')) problems.push("must not start with '..'")
  return problems
}

/** `must be no more than <maximum> characters`, or nothing. */
export function lengthProblems(value: string, maximum: number): string[] {
  return value.length > maximum ? [`must be no more than ${maximum} characters`] : []
}

/** `<message> (e.g. 'a', or 'b', regex used for validation is '<pattern>')`, as in Kubernetes' RegexError. */
export function patternProblem(message: string, pattern: string, ...examples: string[]): string {
  const regex = `regex used for validation is '${pattern}')`
  if (examples.length === 0) return `${message} (${regex}`
  return `${message} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}${regex}`
}

const dns1123LabelPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const dns1123SubdomainPattern = `${dns1123LabelPattern}(\\.${dns1123LabelPattern})*`
const dns1035LabelPattern = '[a-z]([-a-z0-9]*[a-z0-9])?'
// These match the same names as the patterns in the messages, but are written so that no input causes backtracking.
const dns1123Label = /^[a-z0-9]+(?:-+[a-z0-9]+)*$/
const dns1123Subdomain = /^[a-z0-9]+(?:-+[a-z0-9]+)*(?:\.[a-z0-9]+(?:-+[a-z0-9]+)*)*$/
const dns1035Label = /^[a-z][a-z0-9]*(?:-+[a-z0-9]+)*$/

/** Makes a valid prefix a valid name: a trailing dash, and the character before it, are replaced as in Kubernetes. */
function asName(name: string, prefix: 'prefix' | undefined): string {
  return prefix !== undefined && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name
}

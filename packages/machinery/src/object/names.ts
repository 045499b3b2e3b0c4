/**
 * A rule for names: what is wrong with a name, in Kubernetes' words, one entry each; empty when nothing is. A prefix is
 * a `generateName`, to which characters will be added.
 */
export type NameRule = (name: string, prefix?: 'prefix') => readonly string[]

/** Names of most kinds: a DNS-1123 subdomain. */
export const dnsSubdomainName: NameRule = (name, prefix) => dns1123SubdomainProblems(asName(name, prefix))

/** Names of namespaces and a few more kinds: a DNS-1123 label. */
export const dnsLabelName: NameRule = (name, prefix) => dns1123LabelProblems(asName(name, prefix))

/** Names of Services before release 1.34, and of a few other things: a DNS-1035 label. */
export const dns1035LabelName: NameRule = (name, prefix) => dns1035LabelProblems(asName(name, prefix))

/** Names of RBAC kinds: whatever can stand between two slashes of a URL. */
export const pathSegmentName: NameRule = (name, prefix) => {
  if (prefix === undefined && (name === '.' || name === '..')) return [`may not be '${name}'`]
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`)
}

/** What is wrong with a DNS-1123 label. */
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

/** What is wrong with a DNS-1123 subdomain. */
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

/** What is wrong with a DNS-1035 label. */
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

/** What is wrong with a key of a ConfigMap or a Secret. */
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

/** `must be no more than 63 characters`, or nothing. */
export function lengthProblems(value: string, maximum: number): string[] {
  return value.length > maximum ? [`must be no more than ${maximum} characters`] : []
}

/** A value that does not match a pattern: `<what must be> (e.g. 'a', or 'b', regex used for validation is '<pattern>')`. */
export function patternProblem(message: string, pattern: string, ...examples: string[]): string {
  const regex = `regex used for validation is '${pattern}')`
  if (examples.length === 0) return `${message} (${regex}`
  return `${message} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}${regex}`
}

const dns1123LabelPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const dns1123SubdomainPattern = `${dns1123LabelPattern}(\\.${dns1123LabelPattern})*`
const dns1035LabelPattern = '[a-z]([-a-z0-9]*[a-z0-9])?'
// The same languages as the patterns that messages show, written so that no input makes them backtrack.
const dns1123Label = /^[a-z0-9]+(?:-+[a-z0-9]+)*$/
const dns1123Subdomain = /^[a-z0-9]+(?:-+[a-z0-9]+)*(?:\.[a-z0-9]+(?:-+[a-z0-9]+)*)*$/
const dns1035Label = /^[a-z][a-z0-9]*(?:-+[a-z0-9]+)*$/

/** A prefix may end in a dash, because something follows it. */
function asName(name: string, prefix: 'prefix' | undefined): string {
  return prefix !== undefined && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name
}

import { describe, expect, it } from 'vitest'
import { labelKeyProblems, labelValueProblems, validateAnnotations, validateLabels } from './labels.ts'
import {
  configMapKeyProblems,
  dns1035LabelName,
  dnsLabelName,
  dnsSubdomainName,
  type NameRule,
  pathSegmentName,
} from './names.ts'

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const label1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
const namePart =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const valueProblem =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

describe('names', () => {
  const cases: readonly [rule: NameRule, name: string, problems: readonly string[]][] = [
    [dnsSubdomainName, 'web', []],
    [dnsSubdomainName, 'a.b-c.0', []],
    [dnsSubdomainName, 'Web', [subdomain]],
    [dnsSubdomainName, 'a..b', [subdomain]],
    [dnsSubdomainName, 'a-', [subdomain]],
    [dnsSubdomainName, 'a\n', [subdomain]],
    [dnsSubdomainName, 'a'.repeat(254), ['must be no more than 253 characters']],
    [dnsLabelName, 'a--b', []],
    [dnsLabelName, 'a.b', ['must not contain dots']],
    [dnsLabelName, '-a', [label]],
    [dnsLabelName, '', [label]],
    [dnsLabelName, 'a'.repeat(64), ['must be no more than 63 characters']],
    [dns1035LabelName, 'a1', []],
    [dns1035LabelName, '1a', [label1035]],
    [pathSegmentName, 'system:node', []],
    [pathSegmentName, '.', ["may not be '.'"]],
    [pathSegmentName, 'a/b%c', ["may not contain '/'", "may not contain '%'"]],
  ]
  it.each(cases)('%o %j', (rule, name, problems) => expect(rule(name)).toEqual(problems))

  it('may end in a dash when they are prefixes', () => {
    expect(dnsSubdomainName('web-', 'prefix')).toEqual([])
    expect(dnsSubdomainName('-', 'prefix')).toEqual([subdomain])
    expect(pathSegmentName('..', 'prefix')).toEqual([])
  })

  it('are checked in linear time', () => {
    const before = performance.now()
    expect(dnsSubdomainName(`${'a-'.repeat(100_000)}!`)).toHaveLength(2)
    expect(performance.now() - before).toBeLessThan(500)
  })
})

describe('label keys', () => {
  const cases: readonly [key: string, problems: readonly string[]][] = [
    ['app', []],
    ['app.kubernetes.io/Name_1', []],
    ['', ['name part must be non-empty', namePart]],
    ['/a', ['prefix part must be non-empty']],
    ['A/a', [`prefix part ${subdomain}`]],
    ['a/', ['name part must be non-empty', namePart]],
    ['a'.repeat(64), ['name part must be no more than 63 characters']],
    ['-a', [namePart]],
    [
      'a/b/c',
      [
        `a valid label key ${namePart.slice(10)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      ],
    ],
  ]
  it.each(cases)('%j', (key, problems) => expect(labelKeyProblems(key)).toEqual(problems))
})

it('label values are empty or have the form of the name part of a key', () => {
  expect(labelValueProblems('')).toEqual([])
  expect(labelValueProblems('a_B.c-1')).toEqual([])
  expect(labelValueProblems('a b')).toEqual([valueProblem])
  expect(labelValueProblems('a'.repeat(64))).toEqual(['must be no more than 63 characters'])
})

it('labels report keys and values at their field', () => {
  expect(validateLabels({ a: 'b', 'c d': '!' }, 'metadata.labels')).toEqual([
    { reason: 'FieldValueInvalid', field: 'metadata.labels', message: `Invalid value: "c d": ${namePart}` },
    { reason: 'FieldValueInvalid', field: 'metadata.labels', message: `Invalid value: "!": ${valueProblem}` },
  ])
})

it('annotations may have capitals in their prefix, and 256 KiB of bytes altogether', () => {
  expect(validateAnnotations({ 'Example.com/a': '!\n' }, 'f')).toEqual([])
  expect(validateAnnotations({ a: 'x'.repeat(262_143) }, 'f')).toEqual([])
  expect(validateAnnotations({ a: `${'x'.repeat(262_142)}é` }, 'f')).toEqual([
    { reason: 'FieldValueTooLong', field: 'f', message: 'Too long: may not be more than 262144 bytes' },
  ])
  expect(validateAnnotations({ a: '€😀' }, 'f')).toEqual([])
})

it('ConfigMap keys must not contain slashes or start with two dots', () => {
  expect(configMapKeyProblems('a.b_C-1')).toEqual([])
  expect(configMapKeyProblems('..')).toEqual(["must not be '..'"])
  expect(configMapKeyProblems('..a')).toEqual(["must not start with '..'"])
  expect(configMapKeyProblems('a/b')).toEqual([
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
  ])
})

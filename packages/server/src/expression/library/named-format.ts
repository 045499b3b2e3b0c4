import {
  dns1035LabelName,
  dnsLabelName,
  dnsSubdomainName,
  labelKeyProblems,
  labelValueProblems,
} from '@hykube/machinery/object'
import { hasFormat } from '@hykube/machinery/schema'
import { namespaceOf, type Overload, overloadsOf } from '../cel/check/functions.ts'
import { libraryTypes } from '../cel/check/type-text.ts'
import { LibraryValue, Optional } from '../cel/evaluate/values.ts'

/** Kubernetes' format library: `format.dns1123Label().validate(text)` returns an optional list of errors. */
export function formatFunctions(): Overload[] {
  return [
    ...overloadsOf({
      'NamedFormat.validate(string): optional<list<string>>': (format: NamedFormat, text: string) => {
        const problems = format.problems(text)
        return problems.length === 0 ? Optional.none() : Optional.of([...problems])
      },
    }),
    ...namespaceOf('format', {
      'named(string): optional<NamedFormat>': (name: string) => {
        const format = formats.get(name)
        return format === undefined ? Optional.none() : Optional.of(format)
      },
      ...Object.fromEntries([...formats].map(([name, format]) => [`${name}(): NamedFormat`, () => format])),
    }),
  ]
}

type Problems = (text: string) => readonly string[]

class NamedFormat extends LibraryValue {
  readonly type = libraryTypes.NamedFormat
  readonly problems: Problems

  constructor(problems: Problems) {
    super()
    this.problems = problems
  }

  override equals(other: NamedFormat): boolean {
    return this === other
  }
}

const formats = new Map(
  Object.entries<Problems>({
    dns1123Label: (text) => dnsLabelName(text),
    dns1123Subdomain: (text) => dnsSubdomainName(text),
    dns1035Label: (text) => dns1035LabelName(text),
    dns1123LabelPrefix: (text) => dnsLabelName(text, 'prefix'),
    dns1123SubdomainPrefix: (text) => dnsSubdomainName(text, 'prefix'),
    dns1035LabelPrefix: (text) => dns1035LabelName(text, 'prefix'),
    qualifiedName: (text) => labelKeyProblems(text),
    labelValue: (text) => labelValueProblems(text),
    uri: (text) => (hasFormat('uri', text) ? [] : ['invalid URI format']),
    uuid: (text) => (hasFormat('uuid', text) ? [] : ['does not match the UUID format']),
    byte: (text) => (hasFormat('byte', text) ? [] : ['invalid base64']),
    date: (text) => (hasFormat('date', text) ? [] : ['invalid date']),
    datetime: (text) => (hasFormat('datetime', text) ? [] : ['invalid datetime']),
  }).map(([name, problems]) => [name, new NamedFormat(problems)] as const),
)

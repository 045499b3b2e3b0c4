import {
  dns1035LabelName,
  dnsLabelName,
  dnsSubdomainName,
  labelKeyProblems,
  labelValueProblems,
} from '@hykube/machinery/object'
import { hasFormat } from '@hykube/machinery/schema'
import { type Environment, Optional } from '@marcbachmann/cel-js'
import { type FunctionTable, registerFunctions, registerNamespace } from './function-table.ts'

/** `format.dns1123Label().validate(text)`: an optional list of what is wrong. */
export function registerFormats(environment: Environment): void {
  environment.registerType('NamedFormat', { ctor: NamedFormat, fields: {} } as never)
  registerFunctions(environment, {
    'NamedFormat.validate(string): optional<list<string>>': (format: NamedFormat, text: string) => {
      const problems = format.problems(text)
      return problems.length === 0 ? Optional.none() : Optional.of([...problems])
    },
  })
  const table: Record<string, FunctionTable[string]> = {
    'named(string): optional<NamedFormat>': (name: string) => Optional.of(formats.get(name) as NamedFormat),
  }
  for (const [name, format] of formats) table[`${name}(): NamedFormat`] = () => format
  registerNamespace(environment, 'format', table)
}

type Problems = (text: string) => readonly string[]

class NamedFormat {
  readonly problems: Problems

  constructor(problems: Problems) {
    this.problems = problems
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

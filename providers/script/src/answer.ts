import { dynamicFromJson, dynamicToJson, ProviderFailure, type Value } from '@hykube/provider-sdk/provider'

/** What a command said of its object; what it did not say is undefined. */
export interface Answer {
  readonly id?: string
  readonly input?: Value
  readonly output?: Value
  readonly sensitive_output?: Value
}

/** Reads what a command wrote: an object of the fields above, nothing at all, or `null` for an object that is gone. */
export function parseAnswer(text: string, command: string): Answer | null {
  if (text.trim() === '') return {}
  const parsed = parsedOrFail(text, command)
  if (parsed === null) return null
  if (typeof parsed !== 'object' || Array.isArray(parsed))
    throw wrong(command, 'it is JSON, but no object', 'Write an object with id, output or sensitive_output, or null.')
  const other = Object.keys(parsed).find((name) => !fields.includes(name))
  if (other !== undefined)
    throw wrong(command, `it has the field ${JSON.stringify(other)}`, 'What a command gives stands in `output`.')
  const { id, ...values } = parsed as Readonly<Record<string, unknown>>
  if (id !== undefined && (typeof id !== 'string' || id === ''))
    throw wrong(command, 'its id is no string, or empty', 'Write the id as a string.')
  const parts = partsOf(text, Object.keys(values))
  return { ...(id !== undefined && { id: id as string }), ...parts }
}

/** The value that is kept: what was known, type and all, when it says the same. */
export function kept(known: Value, said: Value | undefined): Value {
  if (said === undefined) return known
  return canonical(known) === canonical(said) ? known : said
}

const fields: readonly string[] = ['id', 'input', 'output', 'sensitive_output']

function parsedOrFail(text: string, command: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong(command, 'it is not JSON', 'Write logs and progress to standard error.')
  }
}

// Numbers keep their digits: each part is made of the text, not of what JavaScript reads from it.
function partsOf(text: string, names: readonly string[]): Record<string, Value> {
  const { value } = dynamicFromJson(text) as unknown as { readonly value: Readonly<Record<string, Value>> }
  return Object.fromEntries(names.map((name) => [name, dynamicFromJson(dynamicToJson(value[name] ?? null))]))
}

function canonical(value: Value): string {
  return JSON.stringify(sorted(JSON.parse(dynamicToJson(value))))
}

function sorted(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(sorted)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  )
}

function wrong(command: string, what: string, remedy: string): ProviderFailure {
  return new ProviderFailure(`The ${command} command gave no answer that can be read`, {
    detail: `Of what it wrote to its standard output: ${what}. ${remedy}`,
    place: [command],
  })
}

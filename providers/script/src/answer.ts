import { dynamicFromJson, dynamicToJson, ProviderFailure, type Value } from '@hykube/provider-sdk/provider'

/** Output of a command about its object; missing fields are undefined. */
export interface Answer {
  readonly id?: string
  readonly input?: Value
  readonly output?: Value
  readonly sensitive_output?: Value
}

/**
 * Parses the output of a command: an object with the fields above, nothing, or `null` for an object that no longer
 * exists.
 */
export function parseAnswer(text: string, command: string): Answer | null {
  if (text.trim() === '') return {}
  const parsed = parsedOrFail(text, command)
  if (parsed === null) return null
  if (typeof parsed !== 'object' || Array.isArray(parsed))
    throw wrong(
      command,
      'it is JSON, but not an object',
      'Write an object with id, output or sensitive_output, or null.',
    )
  const other = Object.keys(parsed).find((name) => !fields.includes(name))
  if (other !== undefined)
    throw wrong(command, `it has the field ${JSON.stringify(other)}`, 'Put the result into `output`.')
  const { id, ...values } = parsed as Readonly<Record<string, unknown>>
  if (id !== undefined && (typeof id !== 'string' || id === ''))
    throw wrong(command, 'its id is not a string, or empty', 'Write the id as a string.')
  const parts = partsOf(text, Object.keys(values))
  return { ...(id !== undefined && { id: id as string }), ...parts }
}

/** Returns the known value, with its type, when the new one is equal. */
export function kept(known: Value, reported: Value | undefined): Value {
  if (reported === undefined) return known
  return canonical(known) === canonical(reported) ? known : reported
}

const fields: readonly string[] = ['id', 'input', 'output', 'sensitive_output']

function parsedOrFail(text: string, command: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong(command, 'it is not JSON', 'Write logs and progress to standard error.')
  }
}

// Each part is parsed from its text, so that numbers keep all digits.
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
  return new ProviderFailure(`Invalid output of the ${command} command`, {
    detail: `The standard output is invalid: ${what}. ${remedy}`,
    place: [command],
  })
}

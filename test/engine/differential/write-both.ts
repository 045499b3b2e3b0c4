import type { Spec } from '../scenario.ts'
import type { Declared } from './declared.ts'

/** The content of a resource or data source. */
export interface Parts {
  readonly attributes: Readonly<Record<string, unknown>>
  /** By name, each once or several times. */
  readonly blocks?: Readonly<Record<string, object | readonly object[]>>
  readonly count?: number
  readonly forEach?: Readonly<Record<string, string>>
  readonly dependsOn?: readonly string[]
  readonly triggeredBy?: readonly string[]
  readonly ignore?: readonly string[]
  readonly createFirst?: boolean
}

/** Writes it in both languages. */
export function write(type: string, name: string, parts: Parts): Declared {
  const { attributes, blocks = {}, count, forEach, dependsOn, triggeredBy, ignore, createFirst } = parts
  const lifecycle = {
    ...(createFirst && { create_before_destroy: true }),
    ...(ignore && { ignore_changes: ignore }),
    ...(triggeredBy && { replace_triggered_by: triggeredBy }),
  }
  const spec = {
    ...(mapTexts(attributes, (text) => text.replace(/^(?:all|values):(.*)$/, '${$1[*].id.join(",")}')) as Spec),
    ...blocks,
    ...(count !== undefined && { count }),
    ...(forEach && { for_each: forEach }),
    ...(dependsOn && { depends_on: dependsOn }),
    ...(Object.keys(lifecycle).length > 0 && { lifecycle }),
  }
  const lines = [
    ...(count === undefined ? [] : [`count = ${count}`]),
    ...(forEach === undefined ? [] : [`for_each = ${JSON.stringify(forEach)}`]),
    ...Object.entries(attributes).map(([key, value]) => `${key} = ${hclOf(value)}`),
    ...Object.entries(blocks).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) => hclBlock(name, each)),
    ),
    ...(dependsOn === undefined ? [] : [`depends_on = [${dependsOn.join()}]`]),
    ...(Object.keys(lifecycle).length === 0 ? [] : [`lifecycle {\n${hclLifecycle(lifecycle)}\n}`]),
  ]
  const [mode, itsType] = type.startsWith('data.') ? ['data', type.slice('data.'.length)] : ['resource', type]
  return { address: `${type}.${name}`, spec, hcl: `${mode} "${itsType}" "${name}" {\n${lines.join('\n')}\n}\n` }
}

function hclLifecycle(lifecycle: Readonly<Record<string, unknown>>): string {
  return Object.entries(lifecycle)
    .map(([key, value]) => `${key} = ${Array.isArray(value) ? `[${value.join()}]` : String(value)}`)
    .join('\n')
}

// An object or a list of objects inside a block is a nested block.
function hclBlock(name: string, content: object): string {
  const lines = Object.entries(content).flatMap(([key, value]) =>
    Array.isArray(value) && typeof value[0] === 'object'
      ? value.map((each) => hclBlock(key, each))
      : [`${key} = ${hclOf(value)}`],
  )
  return `${name} {\n${lines.join('\n')}\n}`
}

function hclOf(value: unknown): string {
  return JSON.stringify(
    mapTexts(value, (text) =>
      text.replace(/^all:(.*)$/, "${join(',', $1[*].id)}").replace(/^values:(.*)$/, "${join(',', values($1)[*].id)}"),
    ),
  ).replaceAll("join(',',", 'join(",",')
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, map)]))
}

import { Buffer } from 'node:buffer'
import { Decimal, impliedType, type Path, Typed, type Value, valueAt, walkValue } from '@hykube/tfplugin/value'
import type { Confidential } from './findings.ts'
import type { ResourceInstance } from './instance.ts'
import { sensitiveStrings } from './scrub.ts'
import { secretTree, touchesTree } from './sensitivity.ts'

/** What a provider returned, with what decides which of its texts are echoes of secrets. */
export interface Returned {
  readonly value: Value
  /** What is sensitive in it because of where it came from. */
  readonly sensitive: readonly Path[]
  /** Values that the provider was given, whose sensitive texts are secrets. */
  readonly given: Confidential
  /** A value that is shown anyway: a text that stands in it at the same place is no echo. */
  readonly shown?: Value
}

/**
 * The sensitive places of a returned value: those that are known, and each text that holds a secret, also escaped as JSON, encoded
 * for an address or in base64. A key of a map that holds one makes the map sensitive.
 */
export function withEchoes(
  instance: Pick<ResourceInstance, 'schema' | 'secrets'>,
  { value, sensitive, given, shown }: Returned,
): readonly Path[] {
  const { schema } = instance
  const isEcho = echoOf([
    ...(instance.secrets ?? []),
    ...[...given, [value, sensitive] as const].flatMap(([each, paths]) =>
      each === undefined ? [] : sensitiveStrings(schema, each, paths),
    ),
  ])
  if (isEcho === undefined) return sensitive
  const tree = secretTree(schema, value, sensitive)
  const found: Path[] = []
  walkValue(value, impliedType(schema.block), (part, path) => {
    const step = path.at(-1)
    const text = textOf(part)
    const before = shown === undefined ? undefined : valueAt(shown, path)
    if (step?.kind === 'key' && isEcho(step.key) && before === undefined) found.push(path.slice(0, -1))
    else if (text !== undefined && isEcho(text) && text !== textOf(before) && !touchesTree(tree, path)) found.push(path)
  })
  return found.length === 0 ? sensitive : [...sensitive, ...found]
}

// Shorter secrets are parts of ordinary words: they count only where they are the whole text.
const shortestPart = 6
const shortestWhole = 4

function echoOf(secrets: readonly string[]): ((text: string) => boolean) | undefined {
  const long = new Set(secrets.filter((secret) => secret.length >= shortestWhole))
  if (long.size === 0) return undefined
  const parts = [...new Set([...long].flatMap(formsOf))].filter((form) => form.length >= shortestPart)
  return (text) => text.length >= shortestWhole && (long.has(text) || parts.some((part) => text.includes(part)))
}

function formsOf(secret: string): string[] {
  const text = secret.toWellFormed()
  const base64 = Buffer.from(text).toString('base64')
  return [text.trim(), JSON.stringify(text).slice(1, -1), encodeURIComponent(text), base64.replace(/=+$/, '')]
}

function textOf(part: Value | undefined): string | undefined {
  const bare = part instanceof Typed ? part.value : part
  return typeof bare === 'string' || bare instanceof Decimal ? String(bare) : undefined
}

// Finds values that repeat a secret. A provider may copy a secret from one attribute to another that its schema doesn't mark.

import { Buffer } from 'node:buffer'
import { impliedType } from '@hykube/tfplugin/schema'
import { Decimal, type Path, Typed, type Value, valueAt, walkValue } from '@hykube/tfplugin/value'
import type { Confidential } from '../calls/findings.ts'
import type { ResourceInstance } from '../calls/instance.ts'
import { sensitiveStrings } from './scrub.ts'
import { secretTree, touchesTree } from './sensitivity.ts'

/** A value that a provider returned, and the values whose secrets it may repeat. */
export interface Returned {
  readonly value: Value
  /** Paths that are already known to be sensitive. */
  readonly sensitive: readonly Path[]
  /** Values that the provider received; their sensitive strings are the secrets. */
  readonly given: Confidential
  /** A value that is shown anyway: a string that is equal in it at the same path doesn't become sensitive. */
  readonly shown?: Value
}

/**
 * Returns the sensitive paths of a returned value: the known ones, and each string that contains a secret, also JSON-escaped,
 * URL-encoded or in base64. A map key that contains a secret makes the whole map sensitive.
 */
export function withRepeatedSecrets(
  instance: Pick<ResourceInstance, 'schema' | 'secrets'>,
  { value, sensitive, given, shown }: Returned,
): readonly Path[] {
  const { schema } = instance
  const repeatsSecret = secretMatcher([
    ...(instance.secrets ?? []),
    ...[...given, [value, sensitive] as const].flatMap(([each, paths]) =>
      each === undefined ? [] : sensitiveStrings(schema, each, paths),
    ),
  ])
  if (repeatsSecret === undefined) return sensitive
  const tree = secretTree(schema, value, sensitive)
  const found: Path[] = []
  walkValue(value, impliedType(schema.block), (part, path) => {
    const step = path.at(-1)
    const text = textOf(part)
    const before = shown === undefined ? undefined : valueAt(shown, path)
    if (step?.kind === 'key' && repeatsSecret(step.key) && before === undefined) found.push(path.slice(0, -1))
    else if (text !== undefined && repeatsSecret(text) && text !== textOf(before) && !touchesTree(tree, path))
      found.push(path)
  })
  return found.length === 0 ? sensitive : [...sensitive, ...found]
}

// Secrets shorter than 6 characters occur in ordinary words, so they count only as a whole string; below 4 not at all.
const shortestPart = 6
const shortestWhole = 4

function secretMatcher(secrets: readonly string[]): ((text: string) => boolean) | undefined {
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

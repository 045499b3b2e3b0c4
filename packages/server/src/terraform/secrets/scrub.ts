import type { ProviderDiagnostic } from '@hykube/tfplugin/protocol'
import { impliedType, type Schema } from '@hykube/tfplugin/schema'
import { Decimal, type Path, type Type, Typed, type Value, walkValue } from '@hykube/tfplugin/value'
import { type SensitiveTree, secretTree, treeWithin } from './sensitivity.ts'

/** Returns the sensitive and write-only strings and numbers of a value. */
export function sensitiveStrings(schema: Schema, value: Value, paths: readonly Path[]): string[] {
  const tree = secretTree(schema, value, paths)
  const found = new Set<string>()
  if (tree !== undefined) collect(value, impliedType(schema.block), tree, found)
  return [...found]
}

/**
 * Redacts secrets from diagnostics, also where they are JSON-escaped or URL-encoded. Secrets of less than 4 characters are redacted only
 * as whole words, because they also occur in ordinary words.
 */
export function scrub<D extends ProviderDiagnostic>(
  diagnostics: readonly D[],
  secrets: readonly string[],
): readonly D[] {
  const pattern = patternOf(secrets)
  return pattern === undefined ? diagnostics : diagnostics.map((diagnostic) => scrubbed(diagnostic, pattern))
}

/** Redacts secrets from a text by the same rules. */
export function scrubText(text: string, secrets: readonly string[]): string {
  const pattern = patternOf(secrets)
  return pattern === undefined ? text : text.replace(pattern, mask)
}

const mask = '(sensitive value)'
const short = 4

function collect(value: Value, type: Type, tree: SensitiveTree, found: Set<string>): void {
  walkValue(value, type, (given, path) => {
    const part = given instanceof Typed ? given.value : given
    if (typeof part !== 'string' && !(part instanceof Decimal)) return
    let at: SensitiveTree | undefined = tree
    for (const step of path)
      at = treeWithin(at, step.kind === 'attribute' ? step.name : step.kind === 'key' ? step.key : step.index)
    if (at?.whole === true && part !== '') found.add(String(part))
  })
}

function patternOf(secrets: readonly string[]): RegExp | undefined {
  const forms = new Set(secrets.flatMap((secret) => (secret === '' ? [] : formsOf(secret))))
  if (forms.size === 0) return undefined
  // Longer alternatives come first, so that no rest of a longer secret remains.
  const alternatives = [...forms].sort((a, b) => b.length - a.length).map(alternative)
  return new RegExp(alternatives.join('|'), 'gu')
}

function formsOf(secret: string): string[] {
  const lines = secret.split('\n').filter((line) => line.trim().length >= short)
  return [secret, ...lines].flatMap((text) => {
    const well = text.toWellFormed()
    return [well, JSON.stringify(well).slice(1, -1), encodeURIComponent(well)]
  })
}

function alternative(text: string): string {
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return text.length < short ? `(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])` : escaped
}

function scrubbed<D extends ProviderDiagnostic>(diagnostic: D, pattern: RegExp): D {
  const clean = (text: string) => text.replace(pattern, mask)
  const { summary, detail, path, attribute } = diagnostic
  return {
    ...diagnostic,
    summary: clean(summary),
    ...(detail !== undefined && { detail: clean(detail) }),
    ...(path !== undefined && { path: clean(path) }),
    ...(attribute !== undefined && {
      attribute: attribute.map((step) => (step.kind === 'key' ? { ...step, key: clean(step.key) } : step)),
    }),
  }
}

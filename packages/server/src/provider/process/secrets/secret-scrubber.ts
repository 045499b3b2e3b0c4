import type { ProviderDiagnostic } from '@hykube/tfplugin/protocol'
import type { Attribute, Block } from '@hykube/tfplugin/schema'
import { Decimal, isList, isObject, Typed, type Value } from '@hykube/tfplugin/value'

/** Replaces secrets in a provider's logs, diagnostics and errors. */
export class SecretScrubber {
  readonly #pattern: RegExp | undefined

  /** Ignores strings shorter than four characters: they occur in ordinary words. */
  constructor(secrets: Iterable<string>) {
    const forms = new Set([...secrets].flatMap(formsOf).filter((form) => form.length >= shortest))
    // Longest first: a secret that contains another one must be replaced as a whole.
    const ordered = [...forms].sort((a, b) => b.length - a.length).map(escapeRegExp)
    this.#pattern = ordered.length === 0 ? undefined : new RegExp(ordered.join('|'), 'g')
  }

  text(text: string): string {
    return this.#pattern === undefined ? text : text.replace(this.#pattern, replacement)
  }

  /** Scrubs every string in a JSON value. */
  json<T>(value: T): T {
    if (this.#pattern === undefined) return value
    if (typeof value === 'string') return this.text(value) as T
    if (Array.isArray(value)) return value.map((part: unknown) => this.json(part)) as T
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, this.json(part)])) as T
  }

  diagnostics(diagnostics: readonly ProviderDiagnostic[]): readonly ProviderDiagnostic[] {
    if (this.#pattern === undefined) return diagnostics
    return diagnostics.map((diagnostic) => ({
      ...diagnostic,
      summary: this.text(diagnostic.summary),
      ...(diagnostic.detail !== undefined && { detail: this.text(diagnostic.detail) }),
    }))
  }
}

/** All strings in the sensitive and write-only attributes of a value. */
export function sensitiveStrings(value: Value, block: Block): readonly string[] {
  if (!isObject(value)) return []
  const { attributes, blocks } = block
  return [
    ...ofAttributes(value, attributes),
    ...blocks.flatMap(({ name, block: inner }) =>
      elementsOf(value[name] ?? null).flatMap((element) => sensitiveStrings(element, inner)),
    ),
  ]
}

/** The values of environment variables whose names suggest a secret. */
export function secretVariables(environment: Readonly<Record<string, string>>): readonly string[] {
  const isSecret = (name: string) => /SECRET|TOKEN|PASS|KEY|CREDENTIAL|AUTH/i.test(name)
  return Object.entries(environment).flatMap(([name, value]) => (isSecret(name) ? [value] : []))
}

const shortest = 4
const replacement = '(sensitive value)'

// The encodings in which a secret may appear: verbatim, line by line (as in logs), in JSON, in a URL, in a header.
function formsOf(secret: string): readonly string[] {
  if (secret.length < shortest) return []
  const lines = secret.includes('\n') ? secret.split('\n').map((line) => line.trim()) : []
  const base64 = Buffer.from(secret).toString('base64')
  return [
    secret,
    ...lines.filter((line) => line.length >= longLine),
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
    base64,
    base64.replace(/=+$/, ''),
  ]
}

// Shorter lines of a multi-line secret, such as brackets, occur in ordinary text.
const longLine = 12

function ofAttributes(value: Readonly<Record<string, Value>>, attributes: readonly Attribute[]): readonly string[] {
  return attributes.flatMap(({ name, shape, sensitive, writeOnly }) => {
    const part = value[name] ?? null
    if (sensitive || writeOnly) return stringsIn(part)
    if (shape.kind === 'plain') return []
    const elements = shape.nesting === 'single' ? [part] : elementsOf(part)
    return elements.flatMap((element) => (isObject(element) ? ofAttributes(element, shape.attributes) : []))
  })
}

function elementsOf(value: Value): readonly Value[] {
  if (isList(value)) return value
  if (!isObject(value)) return []
  // Either a single object or a map of objects. Members that are not objects are ignored by the caller.
  return [value, ...Object.values(value)]
}

function stringsIn(value: Value): readonly string[] {
  if (typeof value === 'string') return [value]
  if (value instanceof Decimal) return [value.toString()]
  if (value instanceof Typed) return stringsIn(value.value)
  if (isList(value)) return value.flatMap(stringsIn)
  return isObject(value) ? Object.values(value).flatMap(stringsIn) : []
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

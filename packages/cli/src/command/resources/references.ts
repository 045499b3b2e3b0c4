import type { ResourceAddress } from '@hykube/machinery/object'
import { addressFromText } from './address.ts'

/** The addresses that a spec refers to, in expressions, `depends_on` and `replace_triggered_by`. */
export function referencesIn(spec: unknown): ResourceAddress[] {
  const found: ResourceAddress[] = []
  collect(spec, found)
  return found
}

function collect(value: unknown, found: ResourceAddress[]): void {
  if (typeof value === 'string') found.push(...referencesInText(value))
  else if (Array.isArray(value)) for (const part of value) collect(part, found)
  else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value)) {
      collect(part, found)
      if (key === 'depends_on' && Array.isArray(part)) found.push(...part.flatMap(addressesOf))
      if (key === 'lifecycle') found.push(...triggersOf(part))
    }
}

function triggersOf(lifecycle: unknown): ResourceAddress[] {
  const { replace_triggered_by: triggers } = (lifecycle ?? {}) as { replace_triggered_by?: unknown }
  return Array.isArray(triggers) ? triggers.flatMap((text) => (typeof text === 'string' ? inExpression(text) : [])) : []
}

function addressesOf(text: unknown): ResourceAddress[] {
  const address = typeof text === 'string' ? addressFromText(text) : undefined
  return address === undefined ? [] : [address]
}

// `$${` begins no expression. Nested braces, also inside strings, only extend the text that is searched.
function referencesInText(text: string): ResourceAddress[] {
  const found: ResourceAddress[] = []
  for (const match of text.replaceAll('$${', '').matchAll(/\$\{/g)) {
    const rest = text.replaceAll('$${', '').slice(match.index + 2)
    found.push(...inExpression(rest.slice(0, endOf(rest))))
  }
  return found
}

function endOf(text: string): number {
  let depth = 1
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '{') depth++
    if (text[index] === '}' && --depth === 0) return index
  }
  return text.length
}

const reference =
  /(?<![\w."])(?:provider\["([^"]+)"\]\.)?(data\.)?([a-z][a-z0-9]*_[a-z0-9_]+)(?:\.([A-Za-z_]\w*)|\["([^"]+)"\])/g

function inExpression(text: string): ResourceAddress[] {
  return [...text.matchAll(reference)].flatMap(([, provider, data, type, plain, key]) => {
    const written = `${data ?? ''}${type}${plain === undefined ? `["${key}"]` : `.${plain}`}`
    const address = addressFromText(written)
    return address === undefined ? [] : [{ ...address, ...(provider !== undefined && { provider }) }]
  })
}

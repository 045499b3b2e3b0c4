/** Returns all values at a path, in order. */
export type JsonPath = (root: unknown) => readonly unknown[]

/**
 * Parses the JSONPath subset of printer columns: fields (`.spec.a`, `.spec['a.b']`, `\.` for a dot in a name), items
 * (`[0]`, `[-1]`, `[*]`) and filters (`[?(@.type=="Ready")]`). Returns undefined when the path is invalid.
 */
export function jsonPathFromText(text: string): JsonPath | undefined {
  const steps: Step[] = []
  let rest = text
    .trim()
    .replace(/^\{(.*)\}$/s, '$1')
    .replace(/^\$/, '')
  while (rest !== '') {
    const parsed = stepFrom(rest)
    if (parsed === undefined) return undefined
    if (parsed.step !== undefined) steps.push(parsed.step)
    rest = rest.slice(parsed.length)
  }
  return (root) => steps.reduce<readonly unknown[]>((values, step) => values.flatMap(step), [root])
}

type Step = (value: unknown) => readonly unknown[]

interface ParsedStep {
  readonly step: Step | undefined
  readonly length: number
}

const fieldStep = /^\.((?:\\.|[^.[\\])+)/
const quotedStep = /^\.?\[(['"])((?:\\.|(?!\1).)*)\1\]/
const indexStep = /^\.?\[(-?\d+)\]/
const anyStep = /^\.?\[\*\]|^\.\*/
const filterStep = /^\.?\[\?\(\s*@((?:\.(?:\\.|[^.[\\\s=!<>)])+)+)\s*(==|!=)?\s*("[^"]*"|'[^']*'|[^\s)]*)\s*\)\]/

function stepFrom(text: string): ParsedStep | undefined {
  const any = anyStep.exec(text)
  if (any !== null) return { step: itemsOf, length: any[0].length }
  const quoted = quotedStep.exec(text)
  if (quoted !== null) return { step: readField(unescaped(quoted[2]!)), length: quoted[0].length }
  const index = indexStep.exec(text)
  if (index !== null) return { step: readItem(Number(index[1])), length: index[0].length }
  const filter = filterStep.exec(text)
  if (filter !== null) return { step: filterItems(filter), length: filter[0].length }
  const field = fieldStep.exec(text)
  if (field !== null) return { step: readField(unescaped(field[1]!)), length: field[0].length }
  return text === '.' ? { step: undefined, length: 1 } : undefined
}

function unescaped(name: string): string {
  return name.replace(/\\(.)/g, '$1')
}

function readField(name: string): Step {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) return []
    return [(value as Record<string, unknown>)[name]]
  }
}

function readItem(index: number): Step {
  return (value) => {
    const item: unknown = Array.isArray(value) ? value.at(index) : undefined
    return item === undefined ? [] : [item]
  }
}

function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? Object.values(value) : []
}

function filterItems([, path = '', operator, literal = '']: RegExpExecArray): Step {
  const read = jsonPathFromText(path)
  const wanted = literalFrom(literal)
  return (value) =>
    itemsOf(value).filter((item) => {
      const found = read?.(item) ?? []
      if (operator === undefined) return found.length > 0
      return found.length > 0 && (found[0] === wanted) === (operator === '==')
    })
}

function literalFrom(text: string): unknown {
  if (/^(['"]).*\1$/s.test(text)) return text.slice(1, -1)
  if (text === 'true' || text === 'false') return text === 'true'
  return text === '' ? undefined : Number(text)
}

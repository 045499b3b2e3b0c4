import { splitTypes, typeFromText } from './type-text.ts'
import type { Type } from './types.ts'

/** One form of a function: what it takes, the receiver first, and what it gives. */
export interface Overload {
  readonly name: string
  readonly isMethod: boolean
  readonly parameters: readonly Type[]
  readonly result: Type
  /** The names of the type parameters in it. */
  readonly generic: readonly string[]
  /** Computes; the values are of the declared kinds. */
  readonly call: Handler
}

/** What computes a function. */
export type Handler = (...values: never[]) => unknown

/** Functions by signature, as `string.charAt(int): string`; what stands before the dot is the receiver's type. */
export type FunctionTable = Readonly<Record<string, Handler>>

/** Functions by name; those of a namespace have it in their names, as `sets.contains`. */
export type Functions = ReadonlyMap<string, readonly Overload[]>

/** Reads tables of functions into one. */
export function functionsOf(...tables: readonly (readonly Overload[])[]): Functions {
  const functions = new Map<string, Overload[]>()
  for (const overload of tables.flat()) {
    const known = functions.get(overload.name)
    if (known === undefined) functions.set(overload.name, [overload])
    else known.push(overload)
  }
  return functions
}

/** Reads a table. */
export function overloadsOf(table: FunctionTable): Overload[] {
  return Object.entries(table).map(([signature, call]) => overloadOf(signature, call))
}

/** Reads a table of functions that are called on a name, as `sets` in `sets.contains(a, b)`. */
export function namespaceOf(name: string, table: FunctionTable): Overload[] {
  return overloadsOf(table).map((overload) => ({ ...overload, name: `${name}.${overload.name}` }))
}

/** The forms of an operator, which share what computes them: `operator('_+_', ['int, int: int'], add)`. */
export function operator(name: string, forms: readonly string[], call: Handler): Overload[] {
  return forms.map((form) => {
    const [parameters = '', result = ''] = form.split(':')
    return withGenerics({
      name,
      isMethod: false,
      parameters: splitTypes(parameters).map(typeFromText),
      result: typeFromText(result),
      call,
    })
  })
}

const shape = /^(?:(?<receiver>\w+(?:<.*>)?)\.)?(?<name>@?\w+)\((?<parameters>.*)\): (?<result>.+)$/

function overloadOf(signature: string, call: Handler): Overload {
  const { receiver, name, parameters, result } = shape.exec(signature)?.groups ?? {}
  if (name === undefined) throw new TypeError(`${signature} is no signature of a function`)
  const given = splitTypes(parameters!).map(typeFromText)
  return withGenerics({
    name,
    isMethod: receiver !== undefined,
    parameters: receiver === undefined ? given : [typeFromText(receiver), ...given],
    result: typeFromText(result!),
    call,
  })
}

function withGenerics(overload: Omit<Overload, 'generic'>): Overload {
  const names = new Set<string>()
  const visit = ({ kind, name, parameters }: Type): void => {
    if (kind === 'parameter') names.add(name)
    parameters.forEach(visit)
  }
  for (const type of [...overload.parameters, overload.result]) visit(type)
  return { ...overload, generic: [...names] }
}

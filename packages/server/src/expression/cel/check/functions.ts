import { splitTypes, typeFromText } from './type-text.ts'
import type { Type } from './types.ts'

/** One overload of a function. The receiver of a method is the first parameter. */
export interface Overload {
  readonly name: string
  readonly isMethod: boolean
  readonly parameters: readonly Type[]
  readonly result: Type
  /** The names of its type parameters. */
  readonly generic: readonly string[]
  /** The implementation. Dispatch has checked the kinds of the values. */
  readonly call: Handler
}

/** The implementation of a function. */
export type Handler = (...values: never[]) => unknown

/** Implementations by signature, such as `string.charAt(int): string`; the part before the dot is the receiver's type. */
export type FunctionTable = Readonly<Record<string, Handler>>

/** Overloads by function name; the name includes a namespace, as in `sets.contains`. */
export type Functions = ReadonlyMap<string, readonly Overload[]>

/** Groups overloads by name. */
export function functionsOf(...tables: readonly (readonly Overload[])[]): Functions {
  const functions = new Map<string, Overload[]>()
  for (const overload of tables.flat()) {
    const known = functions.get(overload.name)
    if (known === undefined) functions.set(overload.name, [overload])
    else known.push(overload)
  }
  return functions
}

/** Parses the signatures of a table. */
export function overloadsOf(table: FunctionTable): Overload[] {
  return Object.entries(table).map(([signature, call]) => overloadOf(signature, call))
}

/** Parses a table of functions in a namespace, such as `sets` in `sets.contains(a, b)`. */
export function namespaceOf(name: string, table: FunctionTable): Overload[] {
  return overloadsOf(table).map((overload) => ({ ...overload, name: `${name}.${overload.name}` }))
}

/** The overloads of an operator, which share one implementation: `operator('_+_', ['int, int: int'], add)`. */
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
  if (name === undefined) throw new TypeError(`${signature} is not a function signature`)
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

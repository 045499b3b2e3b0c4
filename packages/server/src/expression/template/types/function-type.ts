import { BoundedMap } from '@hykube/machinery/base'
import { boolType, dynamicType, listType, mapType, numberType, stringType, type Type } from '@hykube/tfplugin/value'
import { checkExpression } from '../../cel/check/check.ts'
import * as cel from '../../cel/check/types.ts'
import type { Expr } from '../../cel/syntax/syntax.ts'
import { templateFunctions } from '../../kubernetes-functions.ts'
import type { LibraryFunction } from '../evaluate/library-call.ts'

type CelType = cel.Type

/** The result type of a function for these argument types, by CEL's checker; undefined if no overload matches. */
export function functionType(of: LibraryFunction, args: readonly Type[]): Type | undefined {
  if (of.namespace === undefined && args.length === 1) {
    if (of.name === 'dyn') return args[0]
    if (of.name === 'size' && args[0]!.kind !== 'string') return canBeCounted(args[0]!) ? numberType : undefined
  }
  // A provider's number is an int or a double depending on its value, so both are tried.
  return resultType(of, args, cel.intType) ?? resultType(of, args, cel.doubleType)
}

const countable = new Set<Type['kind']>(['list', 'set', 'tuple', 'map', 'object', 'dynamic'])

function canBeCounted(type: Type): boolean {
  return countable.has(type.kind)
}

const known = new BoundedMap<string, Type | undefined>(1000)

function resultType(of: LibraryFunction, args: readonly Type[], number: CelType): Type | undefined {
  const types = args.map((type) => languageType(type, number))
  const key = JSON.stringify([of, types.map(cel.typeToText)])
  if (!known.has(key)) {
    known.set(key, checkedType(of, types))
  }
  return known.get(key)
}

function checkedType(of: LibraryFunction, types: readonly CelType[]): Type | undefined {
  const names = new Map(types.map((type, index) => [`argument${index}`, type] as const))
  const args = [...names.keys()].map((name): Expr => ({ kind: 'ident', name, ...nowhere }))
  const { name, isMethod, namespace } = of
  const target: Expr | undefined =
    namespace === undefined ? (isMethod ? args.shift() : undefined) : { kind: 'ident', name: namespace, ...nowhere }
  const call: Expr = { kind: 'call', name, args, ...(target !== undefined && { target }), ...nowhere }
  const { checked, problems } = checkExpression(call, { functions: templateFunctions(), names })
  return problems.length === 0 ? providerType(checked.typeOf(call)) : undefined
}

const nowhere = { start: 0, end: 0, at: 0 }

function languageType(type: Type, number: CelType): CelType {
  switch (type.kind) {
    case 'string':
      return cel.stringType
    case 'bool':
      return cel.boolType
    case 'number':
      return number
    case 'list':
    case 'set':
      return cel.listType(languageType(type.element, number))
    case 'tuple':
      return cel.listType(cel.dynType)
    case 'map':
      return cel.mapType(cel.stringType, languageType(type.element, number))
    case 'object':
      return cel.mapType(cel.stringType, cel.dynType)
    case 'dynamic':
      return cel.dynType
  }
}

function providerType({ kind, parameters }: CelType): Type {
  switch (kind) {
    case 'list':
      return listType(providerType(parameters[0]!))
    case 'map':
      return parameters[0]!.kind === 'string' ? mapType(providerType(parameters[1]!)) : dynamicType
    case 'string':
      return stringType
    case 'bool':
      return boolType
    case 'int':
    case 'uint':
    case 'double':
      return numberType
    default:
      return dynamicType
  }
}

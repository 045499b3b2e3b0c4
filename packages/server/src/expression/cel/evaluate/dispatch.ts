import type { Overload } from '../check/functions.ts'
import type { Type } from '../check/types.ts'
import { LibraryValue, noSuchOverload, Optional, StructValue, typeOf } from './values.ts'

/** Calls the first overload whose parameter types accept the values. */
export function callOverload(overloads: readonly Overload[], values: readonly unknown[]): unknown {
  for (const { parameters, call } of overloads) {
    if (parameters.length === values.length && parameters.every((type, at) => accepts(type, values[at]))) {
      return (call as (...values: unknown[]) => unknown)(...values)
    }
  }
  const name = overloads[0]?.name ?? ''
  throw noSuchOverload(/^\w/.test(name) && !name.startsWith('_') ? name : undefined)
}

function accepts(type: Type, value: unknown): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'parameter':
      return true
    case 'list':
      return Array.isArray(value)
    case 'map':
      return value instanceof Map
    case 'struct':
      return (value instanceof LibraryValue || value instanceof StructValue) && value.type.name === type.name
    case 'opaque':
      return type.name === 'optional_type'
        ? value instanceof Optional
        : value instanceof LibraryValue && value.type.name === type.name
    default:
      return typeOf(value).kind === type.kind
  }
}

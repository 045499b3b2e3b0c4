import { Decimal } from '@hykube/tfplugin/value'
import { EvaluationFailure, Optional } from '../../cel/evaluate/values.ts'
import { isMapping, keysOf } from './describe.ts'
import { callLibrary, type LibraryFunction } from './library-call.ts'
import { type Run, withoutType } from './run.ts'

/** Calls a function. A few are implemented here, because converting their arguments for CEL would lose unknowns or digits. */
export function callFunction(of: LibraryFunction, args: readonly unknown[], run: Run): unknown {
  if (of.namespace === undefined) {
    const own = args.length === 1 ? ownOfOne(of.name, withoutType(args[0])) : undefined
    if (own !== undefined) return own
    const receiver = withoutType(args[0])
    if (of.isMethod && receiver instanceof Optional) {
      const result = methodOfOptional(receiver, of.name, args)
      if (result !== undefined) return result
    }
  }
  return callLibrary(of, args, run)
}

// `size` is known even if elements are unknown, and `string` keeps all digits of a number.
function ownOfOne(name: string, value: unknown): unknown {
  switch (name) {
    case 'size':
      if (Array.isArray(value)) return BigInt(value.length)
      return isMapping(value) ? BigInt(keysOf(value).length) : undefined
    case 'string':
      return value instanceof Decimal ? value.toString() : undefined
    case 'dyn':
      return value
    default:
      return undefined
  }
}

function methodOfOptional(optional: Optional, name: string, args: readonly unknown[]): unknown {
  switch (name) {
    case 'hasValue':
      return optional.hasValue()
    case 'value':
      if (!optional.hasValue()) throw new EvaluationFailure('optional.none() dereference')
      return optional.value()
    case 'orValue':
      return optional.hasValue() ? optional.value() : args[1]
    case 'or':
      return optional.hasValue() ? optional : args[1]
    default:
      return undefined
  }
}

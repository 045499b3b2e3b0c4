import { Decimal, emptyObject, Typed, Unknown, type Value } from '@hykube/tfplugin/value'
import { EvaluationFailure, Optional, Uint } from '../../cel/evaluate/values.ts'
import { isMapping, keysOf, memberOf } from './describe.ts'
import { decimalOf } from './numbers.ts'
import type { Run } from './run.ts'

/** Converts the result of an expression to a provider's value. An empty optional becomes null. */
export function resultValue(result: unknown, run: Run): Value {
  switch (typeof result) {
    case 'string':
    case 'boolean':
      return result
    case 'bigint':
    case 'number':
      return decimalOf(result)
    case 'object':
      return result === null ? null : objectValue(result, run)
    default:
      throw unsupported()
  }
}

function objectValue(result: object, run: Run): Value {
  if (result instanceof Decimal || result instanceof Unknown || result instanceof Typed) return result
  if (result instanceof Optional) return result.hasValue() ? resultValue(result.value(), run) : null
  // Charged for each element, because lists that share elements may be exponentially larger than their memory.
  run.spend(1)
  if (Array.isArray(result)) return result.map((item) => resultValue(item, run))
  if (!isMapping(result)) return unsignedValue(result)
  const object = emptyObject()
  for (const key of keysOf(result)) {
    run.spend(1)
    object[keyText(key)] = resultValue(memberOf(result, key), run)
  }
  return object
}

function unsignedValue(result: object): Value {
  if (result instanceof Uint) return Decimal.fromInteger(result.value)
  throw unsupported()
}

function keyText(key: unknown): string {
  if (typeof key === 'string' || typeof key === 'bigint' || typeof key === 'boolean') return String(key)
  throw new EvaluationFailure('the keys of a resulting map must be strings')
}

function unsupported(): EvaluationFailure {
  return new EvaluationFailure('the result has a type that providers do not support: convert it with string()')
}

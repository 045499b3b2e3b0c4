import { Decimal, emptyObject, Typed, Unknown, type Value } from '@hykube/tfplugin/value'
import { EvaluationFailure, Optional, Uint } from '../cel/values.ts'
import { isMapping, keysOf, memberOf } from './describe.ts'
import { decimalOf } from './numbers.ts'
import type { Run } from './run.ts'

/** The result of an expression as a provider's value. An optional without a value is null. */
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
      throw unsuited()
  }
}

function objectValue(result: object, run: Run): Value {
  if (result instanceof Decimal || result instanceof Unknown || result instanceof Typed) return result
  if (result instanceof Optional) return result.hasValue() ? resultValue(result.value(), run) : null
  // What shares its parts many times over must not become as large as it looks.
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
  throw unsuited()
}

function keyText(key: unknown): string {
  if (typeof key === 'string' || typeof key === 'bigint' || typeof key === 'boolean') return String(key)
  throw new EvaluationFailure('the keys of a map that an expression gives must be strings')
}

function unsuited(): EvaluationFailure {
  return new EvaluationFailure('the result is of a kind that providers have not: make a text of it with string()')
}

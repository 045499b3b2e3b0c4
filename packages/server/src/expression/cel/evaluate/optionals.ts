import { namespaceOf, type Overload, overloadsOf } from '../check/functions.ts'
import { Duration, Optional, StructValue, Timestamp, Uint } from './values.ts'

/** The functions of optional values. StepCompiler evaluates `or` and `orValue`, because they skip an unneeded operand. */
export function optionalFunctions(): Overload[] {
  return [
    ...namespaceOf('optional', {
      'of(V): optional<V>': (value: unknown) => Optional.of(value),
      'ofNonZeroValue(V): optional<V>': (value: unknown) => (isZero(value) ? Optional.none() : Optional.of(value)),
      'none(): optional<V>': () => Optional.none(),
      'unwrap(list<optional<V>>): list<V>': unwrap,
    }),
    ...overloadsOf({
      'optional<V>.value(): V': (optional: Optional) => optional.value(),
      'optional<V>.hasValue(): bool': (optional: Optional) => optional.hasValue(),
      'optional<V>.or(optional<V>): optional<V>': (a: Optional, b: Optional) => (a.hasValue() ? a : b),
      'optional<V>.orValue(V): V': (optional: Optional, value: unknown) =>
        optional.hasValue() ? optional.value() : value,
      'list<V>.first(): optional<V>': (list: readonly unknown[]) => itemOf(list, 0),
      'list<V>.last(): optional<V>': (list: readonly unknown[]) => itemOf(list, -1),
      'list<optional<V>>.unwrapOpt(): list<V>': unwrap,
    }),
  ]
}

function unwrap(list: readonly Optional[]): unknown[] {
  return list.filter((item) => item.hasValue()).map((item) => item.value())
}

function itemOf(list: readonly unknown[], at: number): Optional {
  const item = list.at(at)
  return item === undefined ? Optional.none() : Optional.of(item)
}

function isZero(value: unknown): boolean {
  if (value === null || value === false || value === 0 || value === 0n || value === '') return true
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0
  if (value instanceof Map || value instanceof StructValue) return value.size === 0
  if (value instanceof Uint) return value.value === 0n
  if (value instanceof Duration || value instanceof Timestamp) return value.nanos === 0n
  return value instanceof Optional && !value.hasValue()
}

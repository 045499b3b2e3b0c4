import {
  boolType,
  canonicalSet,
  Decimal,
  dynamicType,
  emptyObject,
  isList,
  isObject,
  isUnknown,
  listType,
  mapType,
  numberType,
  objectType,
  setType,
  stringType,
  type Type,
  type Unknown,
  type Value,
} from '@hykube/tfplugin/value'
import { eachWithin, mismatch, within } from './type-mismatch.ts'

/** A protocol type together with T, its representation in the author's code. */
export interface ValueType<T> {
  readonly type: Type
  /** Converts to the author's representation; the value is neither null nor unknown. Throws TypeMismatchError. */
  read(value: Value): T
  /** Converts from the author's representation; never called with null, undefined or unknown. Throws TypeMismatchError. */
  write(given: T): Value
}

/** The author's representation of a value type. */
export type Infer<V> = V extends ValueType<infer T> ? T : never

/** The value types of attributes, parameters and results. */
export const valueType = {
  string: scalar<string>(stringType, 'a string', (value) => typeof value === 'string'),
  bool: scalar<boolean>(boolType, 'a bool', (value) => typeof value === 'boolean'),
  /** A number that a double represents exactly; other numbers are rejected, not rounded. See `decimal`. */
  number: { type: numberType as Type, read: readNumber, write: writeNumber } satisfies ValueType<number>,
  /** A number of any size. */
  decimal: scalar<Decimal>(numberType, 'a Decimal', (value) => value instanceof Decimal),
  /** A value of any type, in its protocol representation. */
  dynamic: { type: dynamicType as Type, read: (value) => value, write: (given) => given } satisfies ValueType<Value>,
  list: <T>(element: ValueType<T>): ValueType<readonly T[]> => ({
    type: listType(element.type),
    read: (value) => elements(value).map((part, i) => within(i, () => readValue(element, part) as T)),
    write: (given) => elements(given).map((part, i) => within(i, () => writeValue(element, part))),
  }),
  set: <T>(element: ValueType<T>): ValueType<readonly T[]> => ({
    type: setType(element.type),
    read: (value) => elements(value).map((part, i) => within(i, () => readValue(element, part) as T)),
    write: (given) =>
      canonicalSet(
        elements(given).map((part, i) => within(i, () => writeValue(element, part))),
        element.type,
      ),
  }),
  map: <T>(element: ValueType<T>): ValueType<Readonly<Record<string, T>>> => ({
    type: mapType(element.type),
    read: (value) => mapRecord(value, {}, (part) => readValue(element, part as Value) as T),
    write: (given) => mapRecord(given, emptyObject(), (part) => writeValue(element, part)),
  }),
  object: <const F extends Fields>(fields: F): ValueType<FieldsOf<F>> => ({
    type: objectType(Object.fromEntries(Object.entries(fields).map(([name, of]) => [name, of.type]))),
    read: (value) => mapFields(fields, value, (of, part) => readValue(of, part as Value)) as FieldsOf<F>,
    write: (given) => bare(mapFields(fields, given, writeValue)),
  }),
}

/** Converts a value to the author's representation; null and unknown are unchanged. */
export function readValue<T>(of: ValueType<T>, value: Value): T | null | Unknown {
  return value === null || isUnknown(value) ? value : of.read(value)
}

/** Converts from the author's representation; undefined becomes null. */
export function writeValue(of: ValueType<unknown>, given: unknown): Value {
  if (given === null || given === undefined) return null
  return isUnknown(given) ? given : of.write(given as never)
}

type Fields = Readonly<Record<string, ValueType<unknown>>>
type FieldsOf<F extends Fields> = { readonly [K in keyof F]: Infer<F[K]> | null }

function scalar<T extends Value>(type: Type, what: string, fits: (value: unknown) => boolean): ValueType<T> {
  const checked = (value: unknown) => (fits(value) ? (value as T) : mismatch(`${what} is required`))
  return { type, read: checked, write: checked }
}

function readNumber(value: Value): number {
  if (!(value instanceof Decimal)) return mismatch('a number is required')
  const number = value.toNumber()
  if (Decimal.fromNumber(number)?.equals(value) === true) return number
  return mismatch('the number has more digits than a 64-bit float can represent')
}

function writeNumber(given: number): Value {
  const decimal = typeof given === 'number' ? Decimal.fromNumber(given) : undefined
  return decimal ?? mismatch('a finite number is required')
}

function elements<T>(value: T): readonly Value[] {
  return isList(value as Value) ? (value as readonly Value[]) : mismatch('a list is required')
}

function mapRecord<T>(value: unknown, into: Record<string, T>, change: (part: unknown) => T): Record<string, T> {
  if (!isObject(value as Value)) return mismatch('a map is required')
  eachWithin(Object.entries(value as object), (key, part) => {
    // Assigning `__proto__` would replace the prototype.
    if (key === '__proto__') Object.defineProperty(into, key, { ...ownProperty, value: change(part) })
    else into[key] = change(part)
  })
  return into
}

const ownProperty = { writable: true, enumerable: true, configurable: true }

function mapFields<T>(
  fields: Fields,
  value: unknown,
  change: (of: ValueType<unknown>, part: unknown) => T,
): Record<string, T> {
  if (!isObject(value as Value)) return mismatch('an object is required')
  const given = value as Readonly<Record<string, unknown>>
  const other = Object.keys(given).find((name) => !Object.hasOwn(fields, name))
  if (other !== undefined) within(other, () => mismatch('no such attribute'))
  return Object.fromEntries(
    Object.entries(fields).map(([name, of]) => [
      name,
      within(name, () => change(of as ValueType<unknown>, given[name])),
    ]),
  )
}

function bare(record: Readonly<Record<string, Value>>): Value {
  return Object.assign(emptyObject(), record)
}

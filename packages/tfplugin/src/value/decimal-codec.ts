import { Decimal } from './decimal.ts'
import type { MsgpackReader } from './msgpack-reader.ts'
import type { MsgpackWriter } from './msgpack-writer.ts'
import { ValueError } from './value-error.ts'

/**
 * Writes a number in the form go-cty uses: an integer if it fits 64 bits, a double if that is exact, else decimal text.
 */
export function writeDecimal(writer: MsgpackWriter, value: Decimal): void {
  if (value.isInteger) {
    const integer = value.toBigInt()!
    const number = Number(integer)
    if (Number.isSafeInteger(number)) writer.integer(number)
    else if (BigInt.asIntN(64, integer) === integer) writer.integer64(integer)
    else writer.string(value.toString())
  } else if (value.isExactDouble) writer.double(value.toNumber())
  else writer.string(value.toString())
}

/** Reads a number in any of the three forms. */
export function readDecimal(reader: MsgpackReader): Decimal {
  const number = reader.number()
  const decimal =
    number === undefined
      ? Decimal.parse(reader.string('a number is required'))
      : typeof number === 'bigint'
        ? Decimal.fromInteger(number)
        : Decimal.fromNumber(number)
  if (decimal === undefined) throw new ValueError('a finite number is required', [])
  return decimal
}

import fc from 'fast-check'

/** Generates texts with escape sequences, control characters and format characters. */
export const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u001b[31m',
        '\u001b]0;owned\u0007',
        '\u001b[2J',
        '\u009b',
        '\u202e',
        '\u2066',
        '\u200b',
        '\ufeff',
        '\r',
      ),
      fc.string({ unit: 'binary' }),
      fc
        .integer({ min: 0, max: 0xe01ff })
        .filter((code) => code < 0xd800 || code > 0xdfff)
        .map((code) => String.fromCodePoint(code)),
    ),
  )
  .map((parts) => parts.join(''))

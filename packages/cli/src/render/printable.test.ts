import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printable } from './printable.ts'
import { createStyle } from './style.ts'
import { hostileText } from './testing/index.ts'

// Written out on its own: everything that must never reach a terminal.
const forbidden = /[\p{Cc}\p{Cf}\u2028\u2029]/u
const allowed = /[\t\n]/g
const isClean = (text: string) => !forbidden.test(text.replace(allowed, '').replace(invisibleButShaped, ''))
// Format characters of scripts that are shown: Arabic number signs, Kaithi, Egyptian and musical controls.
const invisibleButShaped =
  /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2]|[\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}]/gu

describe('printed text', () => {
  test('without colours holds no control or format character', () => {
    fc.assert(
      fc.property(hostileText, (text) => isClean(printable(text, false))),
      { numRuns: 2_000 },
    )
  })

  test('with colours holds none either, besides the colours of the style', () => {
    const colors = /\u001b\[(1|22|31|32|33|36|39|90)m/g
    fc.assert(
      fc.property(hostileText, (text) => isClean(printable(text, true).replace(colors, ''))),
      { numRuns: 2_000 },
    )
  })

  test('keeps every colour of the style', () => {
    const { bold, red, green, yellow, cyan, gray } = createStyle(true)
    for (const style of [bold, red, green, yellow, cyan, gray]) expect(printable(style('x'), true)).toBe(style('x'))
    expect(printable(red('x'), false)).toBe('\\u001b[31mx\\u001b[39m')
  })

  test('of people’s own languages stays as it is', () => {
    for (const text of ['größer → 10 €', '日本語', 'שלום', 'مرحبا', '🙂👍🏽', 'a\tb\nc'])
      expect(printable(text, false)).toBe(text)
  })
})

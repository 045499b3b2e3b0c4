import { expect, test } from 'vitest'
import { warningHeaders } from './warning-header.ts'

test.each([
  ['plain', '299 - "plain"'],
  ['say "hi" \\ bye', '299 - "say \\"hi\\" \\\\ bye"'],
  ['two\r\nlines\0', '299 - "two  lines "'],
])('%j is %j', (text, header) => {
  expect(warningHeaders([text])).toEqual([header])
})

test('what is no ASCII goes as the bytes of its UTF-8, which every header can hold', () => {
  const [header = ''] = warningHeaders(['unknown field "é💥\ud800"'])
  expect(header).toMatch(/^[\x20-\x7e\x80-\xff]*$/)
  expect(Buffer.from(header, 'latin1').toString()).toBe('299 - "unknown field \\"é💥\ufffd\\""')
})

test('each is said once, and no more than fits', () => {
  expect(warningHeaders(['a', 'a', 'b'])).toHaveLength(2)
  const long = Array.from({ length: 100 }, (_, at) => `${at} ${'x'.repeat(1000)}`)
  expect(warningHeaders(long).join('').length).toBeLessThan(5000)
})

import { expect, test } from 'vitest'
import { warningHeaders } from './warning-header.ts'

test.each([
  ['plain', '299 - "plain"'],
  ['say "hi" \\ bye', '299 - "say \\"hi\\" \\\\ bye"'],
  ['two\r\nlines\0', '299 - "two  lines "'],
])('%j is %j', (text, header) => {
  expect(warningHeaders([text])).toEqual([header])
})

test('text beyond ASCII is sent as the bytes of its UTF-8', () => {
  const [header = ''] = warningHeaders(['unknown field "é💥\ud800"'])
  expect(header).toMatch(/^[\x20-\x7e\x80-\xff]*$/)
  expect(Buffer.from(header, 'latin1').toString()).toBe('299 - "unknown field \\"é💥\ufffd\\""')
})

test('duplicates are sent once, within the size limit', () => {
  expect(warningHeaders(['a', 'a', 'b'])).toHaveLength(2)
  const long = Array.from({ length: 100 }, (_, at) => `${at} ${'x'.repeat(1000)}`)
  expect(warningHeaders(long).join('').length).toBeLessThan(5000)
})

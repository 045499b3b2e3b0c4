import { expect, test } from 'vitest'
import { hasErrors } from './diagnostic.ts'

test('hasErrors ignores warnings', () => {
  expect(hasErrors([])).toBe(false)
  expect(hasErrors([{ severity: 'warning', summary: 'a' }])).toBe(false)
  expect(
    hasErrors([
      { severity: 'warning', summary: 'a' },
      { severity: 'error', summary: 'b' },
    ]),
  ).toBe(true)
})

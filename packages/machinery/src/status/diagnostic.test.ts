import { expect, test } from 'vitest'
import { type Diagnostic, diagnosticToText, hasErrors } from './diagnostic.ts'

test.each<[Diagnostic, string]>([
  [{ severity: 'error', summary: 'Cycle' }, 'error: Cycle'],
  [
    { severity: 'warning', summary: 'Deprecated', detail: 'use b', path: 'spec.a' },
    'warning: spec.a: Deprecated: use b',
  ],
  [
    { severity: 'error', summary: 'Missing', detail: '', address: 'sim_network.a', path: 'spec.cidr' },
    'error: sim_network.a spec.cidr: Missing',
  ],
])('%j is formatted as %s', (diagnostic, text) => {
  expect(diagnosticToText(diagnostic)).toBe(text)
})

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

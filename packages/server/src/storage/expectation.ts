import type { Expectation, Revision } from './contract.ts'

/** Whether a key at this revision (undefined: absent) is what a write or condition expects. */
export function expectationHolds(expect: Expectation | undefined, current: Revision | undefined): boolean {
  if (expect === undefined || expect === 'any') return true
  if (expect === 'absent') return current === undefined
  if (expect === 'present') return current !== undefined
  return current === expect
}

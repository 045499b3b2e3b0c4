import type { Expectation, Revision } from './contract.ts'

/** True when a key at this revision (undefined: absent) satisfies an expectation. */
export function expectationHolds(expect: Expectation | undefined, current: Revision | undefined): boolean {
  if (expect === undefined || expect === 'any') return true
  if (expect === 'absent') return current === undefined
  if (expect === 'present') return current !== undefined
  return current === expect
}

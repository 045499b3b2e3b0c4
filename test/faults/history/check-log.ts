import type { HappenedCommit } from './happened.ts'
import type { Expected, History, Violation } from './history.ts'
import type { Timeline } from './timeline.ts'

/**
 * Revisions must increase through the log, groups must not overlap, and each change must name the revision it replaced.
 */
export function checkLog(
  history: History,
  happened: readonly HappenedCommit[],
  timeline: Timeline,
  report: (violation: Violation) => void,
): void {
  let last = 0
  for (const { revision, key, previous } of history.log) {
    if (revision <= last) report({ kind: 'reordered', message: `revision ${revision} follows ${last} in the log` })
    last = revision
    const before = timeline.at(key, revision - 1)?.revision
    if (previous !== before) {
      report({ kind: 'lost-update', message: `${key} at ${revision} replaced ${before} and says ${previous}` })
    }
  }
  for (let index = 1; index < happened.length; index++) {
    if (happened[index]!.first > happened[index - 1]!.last) continue
    report({ kind: 'reordered', message: `two groups share revision ${happened[index]!.first}` })
  }
}

/** The expectations of every commit that took effect must have been true at that time. */
export function checkExpectations(
  happened: readonly HappenedCommit[],
  timeline: Timeline,
  report: (violation: Violation) => void,
): void {
  for (const { call, first } of happened) {
    for (const { key, expect } of [...call.operations, ...(call.conditions ?? [])]) {
      const current = timeline.at(key, first - 1)?.revision
      if (holds(expect, current)) continue
      report({ kind: 'lost-update', message: `the commit at ${first} expected ${key} ${expect}; it was at ${current}` })
    }
  }
}

function holds(expect: Expected, current: number | undefined): boolean {
  if (expect === 'any') return true
  if (expect === 'absent') return current === undefined
  return expect === 'present' ? current !== undefined : current === expect
}

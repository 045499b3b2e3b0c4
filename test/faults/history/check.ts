import { checkFinal, checkFollowers } from './check-followers.ts'
import { checkExpectations, checkLog } from './check-log.ts'
import { checkRealTime } from './check-real-time.ts'
import { happenedCommits } from './happened.ts'
import type { History, Violation } from './history.ts'
import { createTimeline } from './timeline.ts'

/** Returns all violations of the store's guarantees in a history. Runs in O(n log n). */
export function checkHistory(history: History): readonly Violation[] {
  const violations: Violation[] = []
  const report = (violation: Violation) => violations.push(violation)
  const happened = happenedCommits(history, report)
  const timeline = createTimeline(history, happened)
  checkLog(history, happened, timeline, report)
  checkExpectations(happened, timeline, report)
  checkRealTime(history, happened, timeline, report)
  checkFollowers(history, report)
  checkFinal(history, timeline, report)
  return violations
}

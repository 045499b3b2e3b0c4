import type { Follower, History, LoggedChange, Violation } from './history.ts'
import type { Timeline } from './timeline.ts'
import { lastAtOrBelow } from './timeline.ts'

/** Each follower must receive exactly the changes of the log between its first and last revision. */
export function checkFollowers(history: History, report: (violation: Violation) => void): void {
  for (const follower of history.followers) checkFollower(follower, history.log, report)
}

/** The final state must equal the result of the log. */
export function checkFinal(history: History, timeline: Timeline, report: (violation: Violation) => void): void {
  const { revision, entries } = history.final
  const found = new Map(entries.map((entry) => [entry.key, entry]))
  for (const key of new Set([...timeline.keys, ...found.keys()])) {
    const version = timeline.at(key, revision)
    const entry = found.get(key)
    if (version?.revision === entry?.revision && version?.value === entry?.value) continue
    const kind = version === undefined ? 'ghost' : 'lost'
    const message = `in the end ${key} was ${entry?.value} at ${entry?.revision}, not ${version?.value} at ${version?.revision}`
    report({ kind, message })
  }
  const last = history.log.at(-1)?.revision ?? 0
  if (revision < last) report({ kind: 'lost', message: `the last reader was at ${revision}, the log at ${last}` })
}

function checkFollower(follower: Follower, log: readonly LoggedChange[], report: (violation: Violation) => void): void {
  const from = lastAtOrBelow(log, follower.after, ({ revision }) => revision) + 1
  const to = lastAtOrBelow(log, follower.reached, ({ revision }) => revision) + 1
  const expected = new Map(log.slice(from, to).map((change) => [change.revision, change]))
  let last = follower.after
  for (const change of follower.changes) {
    const said = `${follower.name} received ${change.key} at ${change.revision}`
    if (change.revision === last) report({ kind: 'false-change', message: `${said} twice` })
    else if (change.revision < last) report({ kind: 'reordered', message: `${said} after ${last}` })
    last = Math.max(last, change.revision)
    const logged = expected.get(change.revision)
    if (logged === undefined || !sameChange(logged, change)) {
      report({ kind: 'false-change', message: `${said} (${change.value}), which differs from the log` })
    }
  }
  const told = new Set(follower.changes.map(({ revision }) => revision))
  for (const { revision, key } of expected.values()) {
    if (!told.has(revision)) report({ kind: 'missed', message: `${follower.name} missed ${key} at ${revision}` })
  }
}

function sameChange(a: LoggedChange, b: LoggedChange): boolean {
  return a.kind === b.kind && a.key === b.key && a.value === b.value && a.previous === b.previous
}

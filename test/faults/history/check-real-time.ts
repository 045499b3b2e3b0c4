import type { HappenedCommit } from './happened.ts'
import type { Call, History, Violation } from './history.ts'
import type { Timeline } from './timeline.ts'

/**
 * Every call must take effect at one moment between its start and end, in the order of revisions (linearizability).
 *
 * The revisions give the order of writes, so no search is needed. The check goes through the ticks in order; `floor` is
 * the highest revision that an answered call has seen. A write that starts now must get a higher revision. A read that
 * started at floor F must be explained by a state at F or above; the lowest such state is chosen, which leaves later
 * calls the most freedom. All keys are checked together, which is stricter than each key alone.
 */
export function checkRealTime(
  history: History,
  happened: readonly HappenedCommit[],
  timeline: Timeline,
  report: (violation: Violation) => void,
): void {
  const commits = new Map<Call, HappenedCommit>(happened.map((commit) => [commit.call, commit]))
  const floors = new Map<Call, number>()
  let floor = 0
  for (const { call, ends } of inOrder(history.calls)) {
    const commit = commits.get(call)
    if (!ends) {
      floors.set(call, floor)
      if (commit !== undefined && commit.first <= floor) {
        const message = `the commit at ${commit.first} began after revision ${floor} had been seen`
        report({ kind: 'reordered', message })
      }
      continue
    }
    const seen = commit === undefined ? explain(call, floors.get(call)!, timeline) : commit.last
    if (typeof seen === 'string') report({ kind: 'stale', message: seen })
    else floor = Math.max(floor, seen)
  }
}

function inOrder(calls: readonly Call[]): { readonly call: Call; readonly ends: boolean }[] {
  const moments: { tick: number; call: Call; ends: boolean }[] = []
  for (const call of calls) {
    moments.push({ tick: call.start, call, ends: false })
    if (call.end !== undefined) moments.push({ tick: call.end, call, ends: true })
  }
  return moments.sort((a, b) => a.tick - b.tick)
}

/**
 * Returns the lowest revision from the floor on that explains the result of a call, or a description of the violation.
 */
function explain(call: Call, floor: number, timeline: Timeline): number | string {
  switch (call.kind) {
    case 'now':
      return call.revision === undefined || call.revision >= floor
        ? (call.revision ?? 0)
        : `now was ${call.revision} after revision ${floor} had been seen`
    case 'get':
      return explainGet(call, floor, timeline)
    case 'scan':
      return explainScan(call, floor, timeline)
    case 'commit':
      if (call.outcome.kind !== 'refused') return 0
      return explainVersions(
        call.outcome.failures.map(({ key, current }) => ({ key, version: current })),
        floor,
        timeline,
      )
    default:
      return call satisfies never
  }
}

function explainGet(call: Call & { kind: 'get' }, floor: number, timeline: Timeline): number | string {
  if (call.found === undefined) return 0
  const version = call.found === 'absent' ? undefined : call.found.revision
  if (call.found !== 'absent' && timeline.at(call.key, call.found.revision)?.value !== call.found.value) {
    return `${call.key} was read as ${call.found.value} at revision ${call.found.revision}, which is another value`
  }
  if (call.at === undefined) return explainVersions([{ key: call.key, version }], floor, timeline)
  if (timeline.at(call.key, call.at)?.revision === version) return 0
  return `${call.key} was read as of ${call.at} and gave revision ${version}`
}

function explainScan(call: Call & { kind: 'scan' }, floor: number, timeline: Timeline): number | string {
  if (call.found === undefined) return 0
  const { revision, entries } = call.found
  if (call.at === undefined && revision < floor) return `a scan was at ${revision} after ${floor} had been seen`
  if (timeline.boundary(revision) !== revision) return `a scan was at ${revision}, inside a group`
  const found = entries.map((entry) => `${entry.key} ${entry.revision} ${entry.value}`).join('\n')
  const wanted = timeline.keys
    .filter((key) => key.startsWith(call.prefix))
    .map((key) => [key, timeline.at(key, revision)] as const)
    .flatMap(([key, version]) => (version === undefined ? [] : [`${key} ${version.revision} ${version.value}`]))
    .join('\n')
  if (found !== wanted) return `a scan of ${call.prefix} at ${revision} gave\n${found}\ninstead of\n${wanted}`
  return call.at === undefined ? revision : 0
}

function explainVersions(
  wanted: readonly { readonly key: string; readonly version: number | undefined }[],
  floor: number,
  timeline: Timeline,
): number | string {
  for (let at = floor; ; ) {
    const before = at
    for (const { key, version } of wanted) {
      const next = timeline.next(key, version, at)
      if (next === undefined) return `${key} was seen at ${version} after revision ${floor} had been seen`
      at = next
    }
    at = timeline.boundary(at)
    if (at === before) return at
  }
}

import { type CommitCall, type History, spaceOf, type Violation } from './history.ts'

/** A commit that took effect, with its range of consecutive revisions. */
export interface HappenedCommit {
  readonly call: CommitCall
  readonly first: number
  readonly last: number
}

/**
 * Determines from the log which commits took effect. An acknowledged commit must be in the log as acknowledged; a
 * failed or rejected one must not be; one with an unknown outcome may be, but only as a whole. Unique values identify
 * the writer.
 */
export function happenedCommits(history: History, report: (violation: Violation) => void): HappenedCommit[] {
  const places = placesByValue(history, report)
  const happened: HappenedCommit[] = []
  const known = new Set<string>()
  for (const call of history.calls) {
    if (call.kind !== 'commit') continue
    for (const operation of call.operations) known.add(operation.value)
    const first = firstRevision(call, history, places, report)
    if (first !== undefined) happened.push({ call, first, last: first + call.operations.length - 1 })
  }
  for (const { value, key, revision } of history.log) {
    if (known.has(value)) continue
    report({ kind: 'ghost', message: `revision ${revision} of ${key} holds ${value}, which no client wrote` })
  }
  return happened.sort((a, b) => a.first - b.first)
}

type Places = ReadonlyMap<string, { readonly key: string; readonly kind: string; readonly revision: number }>

function placesByValue(history: History, report: (violation: Violation) => void): Places {
  const places = new Map<string, { key: string; kind: string; revision: number }>()
  for (const { value, key, kind, revision } of history.log) {
    const earlier = places.get(value)
    if (earlier === undefined) places.set(value, { key, kind, revision })
    else report({ kind: 'doubled', message: `${value} was written at revisions ${earlier.revision} and ${revision}` })
  }
  return places
}

function firstRevision(
  call: CommitCall,
  history: History,
  places: Places,
  report: (violation: Violation) => void,
): number | undefined {
  const { outcome, operations } = call
  const logged = operations.map(({ key }) => !history.spacesWithoutHistory.includes(spaceOf(key)))
  const found = operations.map(({ value }) => places.get(value))
  const named = operations.map(({ value }) => value).join(', ')
  operations.forEach((operation, index) => {
    const place = found[index]
    if (place === undefined || (place.key === operation.key && place.kind === operation.kind)) return
    report({ kind: 'false-change', message: `${operation.value} is in the log as a ${place.kind} of ${place.key}` })
  })
  if (outcome.kind === 'committed') {
    outcome.revisions.forEach((revision, index) => {
      if (!logged[index] || found[index]?.revision === revision) return
      const instead = found[index] === undefined ? 'nowhere' : `at revision ${found[index].revision}`
      report({ kind: 'lost', message: `${operations[index]!.value} was acknowledged at ${revision} and is ${instead}` })
    })
    if (
      outcome.revisions.length !== operations.length ||
      outcome.revisions.some((r, i) => r !== outcome.revisions[0]! + i)
    )
      report({ kind: 'torn', message: `the group ${named} got the revisions ${outcome.revisions.join(', ')}` })
    return outcome.revisions[0]
  }
  const present = found.filter((place) => place !== undefined)
  if (present.length === 0) return undefined
  if (outcome.kind !== 'unknown') {
    report({ kind: 'ghost', message: `the group ${named} was ${outcome.kind} and is in the log` })
  }
  const first = found.find((place) => place !== undefined)!.revision - found.findIndex((place) => place !== undefined)
  const whole = found.every((place, index) => !logged[index] || place?.revision === first + index)
  if (!whole) report({ kind: 'torn', message: `the group ${named} is in the log in part or out of order` })
  return first
}

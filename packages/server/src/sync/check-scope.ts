import type { Condition } from '@hykube/machinery/object'
import { refToText } from '../model/index.ts'
import {
  checkDrift,
  checkListings,
  type DriftFound,
  type EngineParts,
  recordEvents,
  type WrittenDrift,
} from '../plans/index.ts'
import type { CoveredObject, SyncScope } from './scope.ts'
import { sleepUntil } from './sleep-until.ts'

/** The objects that a scope covers. */
export interface Coverage {
  readonly resources: number
  readonly drifted: number
  /** Names of older policies that hold for objects which this one matches too. */
  readonly conflicts: ReadonlySet<string>
}

/** The result of checking every object of a scope once. */
export interface CheckResult extends Coverage {
  readonly problems: readonly string[]
}

/** Counts the objects of a scope without reading real resources. */
export async function coverageOf(scope: SyncScope, signal: AbortSignal): Promise<Coverage> {
  const result = { resources: 0, drifted: 0, conflicts: new Set<string>() }
  for await (const page of scope.pages()) {
    signal.throwIfAborted()
    result.resources += page.covered.length
    result.drifted += page.covered.filter(({ object }) => driftStatusOf(object) === 'True').length
    for (const name of page.conflicts) result.conflicts.add(name)
  }
  return result
}

/**
 * Reads the real resources of a scope page by page, spread evenly over its interval, so that a provider sees a steady rate and
 * no memory is held per object. Objects whose provider throttles are read again at half the rate, several times within the
 * interval; the rate recovers with each page that is not throttled.
 */
export async function checkScope(
  parts: EngineParts,
  scope: SyncScope,
  id: string,
  signal: AbortSignal,
  onDrift: (namespace: string) => void = () => {},
): Promise<CheckResult> {
  const { clock } = parts
  const { every } = scope.settings
  const total = Math.max(1, await scope.count())
  const end = clock.now() + every
  const result = { resources: 0, drifted: 0, problems: [] as string[], conflicts: new Set<string>() }
  const check = { cluster: scope.cluster, id, listings: checkListings(parts) }
  let walked = 0
  let slowdown = 1
  for await (const page of scope.pages()) {
    const began = clock.now()
    walked += page.walked
    result.resources += page.covered.length
    for (const name of page.conflicts) result.conflicts.add(name)
    for (let open = page.covered; open.length > 0; ) {
      const found = await checkPage(parts, check, open, signal)
      const throttled = open.filter(({ ref }) => isThrottled(found.problems.get(refToText(ref))))
      const pause = Math.min((every * page.walked) / total, every / 60, longestPause) * slowdown * 2
      const isLast = throttled.length === 0 || slowdown === slowest || clock.now() + pause > end
      slowdown = throttled.length > 0 ? Math.min(slowdown * 2, slowest) : Math.max(1, slowdown / 2)
      result.drifted += found.drifted.filter((each) => isLast || !throttled.includes(each)).length
      for (const namespace of new Set(found.drifted.map(({ ref }) => ref.namespace))) onDrift(namespace)
      for (const { ref } of throttled) if (!isLast) found.problems.delete(refToText(ref))
      result.problems.push(...[...found.problems.values()].slice(0, mostProblems - result.problems.length))
      open = isLast ? [] : throttled
      if (!isLast) await sleepUntil(clock, clock.now() + pause, signal)
    }
    // The last page needs no pause: the next check waits for its own time.
    if (walked < total) await sleepUntil(clock, began + (every * page.walked * slowdown) / total, signal)
  }
  return result
}

interface PageResult {
  readonly drifted: readonly CoveredObject[]
  /** Why objects could not be read, by reference. */
  readonly problems: Map<string, string>
}

async function checkPage(
  parts: EngineParts,
  check: Pick<Parameters<typeof checkDrift>[1], 'cluster' | 'id' | 'listings'>,
  covered: readonly CoveredObject[],
  signal: AbortSignal,
): Promise<PageResult> {
  const told: WrittenDrift[] = []
  const problems = new Map<string, string>()
  for (const some of byActor(covered)) {
    const refs = some.map(({ ref }) => ref)
    const found: DriftFound = await checkDrift(parts, { ...check, refs, actor: some[0]!.actor }, signal)
    told.push(...found.written)
    for (const { ref, message } of found.problems) problems.set(refToText(ref), message)
  }
  await recordEvents(parts.objects, parts.clock, told.map(eventOf))
  const changed = new Map(told.map(({ ref, condition }) => [refToText(ref), condition.status]))
  const isDrifted = ({ ref, object }: CoveredObject) =>
    (changed.get(refToText(ref)) ?? driftStatusOf(object)) === 'True'
  return { drifted: covered.filter(isDrifted), problems }
}

// Objects of one actor are read together.
function byActor(covered: readonly CoveredObject[]): CoveredObject[][] {
  const groups = new Map<string, CoveredObject[]>()
  for (const each of covered) {
    const actor = JSON.stringify(each.actor)
    groups.set(actor, [...(groups.get(actor) ?? []), each])
  }
  return [...groups.values()]
}

function driftStatusOf({ status }: CoveredObject['object']): string | undefined {
  const { conditions = [] } = (status ?? {}) as { conditions?: readonly Condition[] }
  return conditions.find(({ type }) => type === 'Drifted')?.status
}

function eventOf({ ref, object, condition }: WrittenDrift): Parameters<typeof recordEvents>[2][number] {
  const { apiVersion = '', kind = '', metadata } = object
  const { cluster, namespace, name } = ref
  const subject = { cluster, namespace, name, uid: metadata?.uid ?? '', apiVersion, kind }
  return condition.status === 'True'
    ? [subject, { type: 'Warning', reason: 'Drifted', message: condition.message ?? '' }]
    : [subject, { type: 'Normal', reason: 'DriftResolved', message: 'the real resource is as last applied' }]
}

// Providers pass on the words of their API: "Throttling: Rate exceeded", "429 Too Many Requests", "SlowDown".
function isThrottled(problem = ''): boolean {
  return /throttl|rate.?(limit|exceeded)|too ?many ?requests|\b429\b|slow ?down/i.test(problem)
}

const slowest = 16
const longestPause = 60_000
const mostProblems = 10

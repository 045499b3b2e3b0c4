import type { Condition } from '@hykube/machinery/object'
import { refToText } from '../model/index.ts'
import { checkDrift, type DriftFound, type EngineParts, recordEvents, type WrittenDrift } from '../plans/index.ts'
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
 * no memory is held per object. A provider that throttles is read at half the rate after each page that it throttled.
 */
export async function checkScope(
  parts: EngineParts,
  scope: SyncScope,
  id: string,
  signal: AbortSignal,
  onDrift: (namespace: string) => void = () => {},
): Promise<CheckResult> {
  const { clock } = parts
  const total = Math.max(1, await scope.count())
  const result = { resources: 0, drifted: 0, problems: [] as string[], conflicts: new Set<string>() }
  let slowdown = 1
  for await (const page of scope.pages()) {
    const began = clock.now()
    const found = await checkPage(parts, scope.cluster, id, page.covered, signal)
    result.resources += page.covered.length
    result.drifted += found.drifted.length
    for (const namespace of new Set(found.drifted.map(({ ref }) => ref.namespace))) onDrift(namespace)
    result.problems.push(...found.problems.slice(0, mostProblems - result.problems.length))
    for (const name of page.conflicts) result.conflicts.add(name)
    slowdown = found.problems.some(isThrottled) ? Math.min(slowdown * 2, slowest) : Math.max(1, slowdown / 2)
    const due = began + (scope.settings.every * page.walked * slowdown) / total
    // The last page needs no pause: the next check waits for its own time.
    if (page.walked < total) await sleepUntil(clock, due, signal)
  }
  return result
}

async function checkPage(
  parts: EngineParts,
  cluster: string,
  id: string,
  covered: readonly CoveredObject[],
  signal: AbortSignal,
): Promise<{ readonly drifted: readonly CoveredObject[]; readonly problems: readonly string[] }> {
  const told: WrittenDrift[] = []
  const problems: string[] = []
  for (const some of byActor(covered)) {
    const refs = some.map(({ ref }) => ref)
    const found: DriftFound = await checkDrift(parts, { cluster, id, refs, actor: some[0]!.actor }, signal)
    told.push(...found.written)
    problems.push(...found.problems)
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
function isThrottled(problem: string): boolean {
  return /throttl|rate.?(limit|exceeded)|too ?many ?requests|\b429\b|slow ?down/i.test(problem)
}

const slowest = 16
const mostProblems = 10

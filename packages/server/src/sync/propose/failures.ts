import { timeFromText } from '@hykube/machinery/amounts'
import { type ChangeRecord, refToText } from '../../model/index.ts'
import type { EngineParts } from '../../plans/index.ts'
import type { PolicyPlan } from './policy-plans.ts'

/** An object that Reconcile leaves alone for a while, or until its spec is written again. */
export interface Setback {
  readonly reason: 'SyncFailed' | 'Flapping'
  readonly message: string
  /** The generation that was applied: another one is tried at once. */
  readonly generation: number
  /** When it is tried again; undefined when it is stalled. */
  readonly until: number | undefined
}

/**
 * Finds objects that failed in the newest Plans of a policy, or were repaired in each of them: another system undoes the repair.
 * The Plans that are kept are the only record, so that nothing is stored or held per object.
 */
export async function setbacksOf(
  { estate }: EngineParts,
  plans: readonly PolicyPlan[],
  settle: number,
): Promise<ReadonlyMap<string, Setback>> {
  const runs = new Map<string, Run>()
  const finished = plans.filter(({ status }) => status.finishedAt !== undefined).slice(0, mostInARow)
  for (const [index, { location, uid, status }] of finished.entries()) {
    for await (const { target, record } of estate.changes<ChangeRecord>(location.cluster, uid)) {
      const kind = kindOf(record)
      const ref = refToText(target.ref)
      const run = runs.get(ref) ?? {
        kind,
        count: 0,
        generation: record.work?.generation ?? 0,
        last: status.finishedAt!,
      }
      // The run ends with the first Plan that has another result for the object, or none.
      if (kind === undefined || run.kind !== kind || run.count !== index) continue
      runs.set(ref, { ...run, count: index + 1, message: run.message ?? record.outcome?.message })
    }
  }
  return new Map([...runs].flatMap(([ref, run]) => setbackOf(run, settle).map((each) => [ref, each] as const)))
}

interface Run {
  readonly kind: 'failed' | 'repaired' | undefined
  readonly count: number
  readonly generation: number
  readonly last: string
  readonly message?: string | undefined
}

function kindOf({ outcome, work }: ChangeRecord): Run['kind'] {
  if (outcome?.result === 'failed') return 'failed'
  return outcome?.result === 'applied' && work?.priorSlot === 'observed' ? 'repaired' : undefined
}

function setbackOf({ kind, count, generation, last, message }: Run, settle: number): Setback[] {
  if (kind === 'repaired')
    return count < mostInARow
      ? []
      : [{ reason: 'Flapping', generation, until: undefined, message: `drifted again after ${count} repairs in a row` }]
  if (kind === undefined) return []
  const text = `${count} failures in a row: ${message ?? 'no message'}`
  const wait = Math.max(settle, leastWait) * 2 ** (count - 1)
  const until = count < mostInARow ? (timeFromText(last) ?? 0) + wait : undefined
  return [{ reason: 'SyncFailed', generation, until, message: text }]
}

const mostInARow = 5
const leastWait = 1000

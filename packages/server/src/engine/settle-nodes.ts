import { stateRange } from '../estate/index.ts'
import type { InstanceKey, NodePlace } from '../plan/index.ts'
import type { ApplyTally } from './apply-tally.ts'
import { settleBatch } from './batch-claims.ts'
import { clearMarks } from './clear-marks.ts'
import type { EngineParts } from './engine-parts.ts'
import type { PlanInHand } from './ledger.ts'
import { withStatus } from './object-status.ts'
import { planStatusOf, readPlan } from './plan-status.ts'
import { driftOfBatch } from './tell-drift.ts'

/** After a plan was carried out: what was applied in full needs no look by the next plan, and batches are told how they are. */
export async function settleNodes(parts: EngineParts, plan: PlanInHand, tally: ApplyTally): Promise<void> {
  const status = await readPlan(parts.objects, plan)
  const since = status === undefined ? 0 : (planStatusOf(status).planned?.revision ?? 0)
  await clearMarks(parts.estate, settledPlaces(tally), ['written', 'unsettled'], { since, by: plan.uid })
  for (const { place, isSettled, isBatch } of tally.nodes()) {
    if (!isBatch) continue
    const settled = isSettled ? await settleBatch(parts.estate, plan.uid, place) : undefined
    await tellBatch(parts, place, isSettled, settled)
  }
}

function* settledPlaces(tally: ApplyTally): Generator<NodePlace> {
  for (const { place, isSettled } of tally.nodes()) if (isSettled) yield place
}

async function tellBatch(
  { objects, estate, clock }: EngineParts,
  node: NodePlace,
  isSettled: boolean,
  /** So many are ready, and nothing else is there: that need not be counted. */
  settled: number | undefined,
): Promise<void> {
  await objects.update(node, node, async (object) => {
    const total = await totalOf(object.spec, () => estate.count(stateRange(node)))
    const { ready, drifted } = settled === undefined ? await countOf(estate, node) : { ready: settled, drifted: 0 }
    const facts = isSettled
      ? { status: 'True' as const, reason: 'Applied', message: `${ready} of ${total} instances are ready` }
      : { status: 'False' as const, reason: 'PartiallyApplied', message: `${ready} of ${total} instances are ready` }
    const set = {
      instances: { total, ready },
      ...(isSettled && { observedGeneration: object.metadata?.generation }),
      conditions: [...['Ready', 'Applied'].map((type) => ({ type, ...facts })), driftOfBatch(drifted, total)],
    }
    return withStatus(object, set, clock.now())
  })
}

async function countOf(estate: EngineParts['estate'], node: NodePlace): Promise<{ ready: number; drifted: number }> {
  let [ready, drifted] = [0, 0]
  let after: { readonly key: InstanceKey } | undefined
  for (;;) {
    const { instances, more } = await estate.instances(node, after, together)
    for (const { current, observed } of instances) {
      if (current?.record.status === 'ready') ready++
      if (current !== undefined && observed !== undefined) drifted++
    }
    if (!more) return { ready, drifted }
    after = { key: instances.at(-1)!.instance }
  }
}

const together = 500

async function totalOf(spec: unknown, known: () => Promise<number>): Promise<number> {
  const { count, for_each: forEach } = (spec ?? {}) as { count?: unknown; for_each?: unknown }
  if (typeof count === 'number') return count
  if (typeof forEach === 'object' && forEach !== null) return Object.keys(forEach).length
  return known()
}

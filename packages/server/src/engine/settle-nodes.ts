import { journalRangeOf, stateRange } from '../estate/index.ts'
import type { InstanceKey, NodePlace } from '../plan/index.ts'
import type { ApplyTally, NodeTally } from './apply-tally.ts'
import { settleBatch } from './batch-claims.ts'
import { clearMarks } from './clear-marks.ts'
import type { EngineParts } from './engine-parts.ts'
import type { PlanInHand } from './ledger.ts'
import { withStatus } from './object-status.ts'
import { planStatusOf, readPlan } from './plan-status.ts'
import { destroyedConditions } from './settled-object.ts'
import { driftOfBatch } from './tell-drift.ts'

/** After a plan was carried out: what was applied in full needs no look by the next plan, and batches are told how they are. */
export async function settleNodes(parts: EngineParts, plan: PlanInHand, tally: ApplyTally): Promise<void> {
  const status = await readPlan(parts.objects, plan)
  const since = status === undefined ? 0 : (planStatusOf(status).planned?.revision ?? 0)
  await clearMarks(parts.estate, settledPlaces(tally), ['written', 'unsettled'], { since, by: plan.uid })
  for (const node of tally.nodes()) {
    if (!node.isBatch) continue
    const settled = node.isSettled ? await settleBatch(parts.estate, plan.uid, node.place) : undefined
    await tellBatch(parts, node, settled)
  }
}

function* settledPlaces(tally: ApplyTally): Generator<NodePlace> {
  for (const { place, isSettled } of tally.nodes()) if (isSettled) yield place
}

async function tellBatch(
  { objects, estate, clock }: EngineParts,
  { place: node, isSettled, isDestroyed }: NodeTally,
  /** So many are ready, and nothing else is there: that need not be counted. */
  settled: number | undefined,
): Promise<void> {
  await objects.update(node, node, async (object) => {
    const total = await totalOf(object.spec, () => estate.count(stateRange(node)))
    const { ready, drifted } = settled === undefined ? await countOf(estate, node) : { ready: settled, drifted: 0 }
    const message = `${ready} of ${total} instances are ready`
    const isWhole = isSettled && !isDestroyed
    const facts = isWhole
      ? { status: 'True' as const, reason: 'Applied', message }
      : { status: 'False' as const, reason: 'PartiallyApplied', message }
    const conditions = [...['Ready', 'Applied'].map((type) => ({ type, ...facts })), driftOfBatch(drifted, total)]
    const told = isSettled && isDestroyed && ready === 0 ? destroyedConditions : conditions
    // That nobody knows what came of an instance is not covered up.
    const isUnknown = !isSettled && (await estate.count(journalRangeOf(node))) > 0
    const set = {
      instances: { total, ready },
      ...(isWhole && { observedGeneration: object.metadata?.generation }),
      conditions: isUnknown ? told.filter(({ type }) => type !== 'Ready') : told,
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

import { stateRange } from '../estate/index.ts'
import { type NodePlace, nodeToText } from '../plan/index.ts'
import type { ApplyTally } from './apply-tally.ts'
import type { EngineParts } from './engine-parts.ts'
import type { PlanInHand } from './ledger.ts'
import { withStatus } from './object-status.ts'
import { clearMark } from './plan-sink.ts'
import { planStatusOf, readPlan } from './plan-status.ts'
import { driftCondition } from './tell-drift.ts'

/** After a plan was carried out: what was applied in full needs no look by the next plan, and batches are told how they are. */
export async function settleNodes(parts: EngineParts, plan: PlanInHand, { nodes }: ApplyTally): Promise<void> {
  const status = await readPlan(parts.objects, plan)
  const since = status === undefined ? 0 : (planStatusOf(status).planned?.revision ?? 0)
  for (const node of nodes.settled) {
    await clearMark(parts.estate, node, 'written', since)
    await clearMark(parts.estate, node, 'unsettled', since)
  }
  const batches = new Map<string, NodePlace>()
  for (const { place } of nodes.all) if (place.instance !== undefined) batches.set(nodeToText(place.node), place.node)
  for (const [text, node] of batches)
    await tellBatch(
      parts,
      node,
      [...nodes.settled].some((each) => nodeToText(each) === text),
    )
}

async function tellBatch(
  { objects, estate, kinds, clock }: EngineParts,
  node: NodePlace,
  isSettled: boolean,
): Promise<void> {
  await objects.update(node, node, async (object) => {
    const total = await totalOf(object.spec, () => estate.count(stateRange(node)))
    const states = await estate.states(node)
    const ready = states.filter(({ current }) => current?.record.status === 'ready').length
    const kind = kinds.at(node.cluster, node.group, node.resource)
    const facts = isSettled
      ? { status: 'True' as const, reason: 'Applied', message: `${ready} of ${total} instances are ready` }
      : { status: 'False' as const, reason: 'PartiallyApplied', message: `${ready} of ${total} instances are ready` }
    const set = {
      instances: { total, ready },
      ...(isSettled && { observedGeneration: object.metadata?.generation }),
      conditions: [
        ...['Ready', 'Applied'].map((type) => ({ type, ...facts })),
        ...(kind === undefined || kind.data ? [] : [driftCondition(kind, states)]),
      ],
    }
    return withStatus(object, set, clock.now())
  })
}

async function totalOf(spec: unknown, known: () => Promise<number>): Promise<number> {
  const { count, for_each: forEach } = (spec ?? {}) as { count?: unknown; for_each?: unknown }
  if (typeof count === 'number') return count
  if (typeof forEach === 'object' && forEach !== null) return Object.keys(forEach).length
  return known()
}

import { type Estate, journalRangeOf, stateRange } from '../estate/index.ts'
import { type ChangeRecord, type NodePlace, repetitionOf, type WorkOrder } from '../plan/index.ts'
import type { ApplyTally, NodeTally } from './apply-tally.ts'
import { settleBatch } from './batch-claims.ts'
import { clearMarks } from './clear-marks.ts'
import { countInstances } from './count-instances.ts'
import type { EngineParts } from './engine-parts.ts'
import type { PlanInHand } from './ledger.ts'
import { type ConditionFacts, withStatus } from './object-status.ts'
import { planStatusOf, readPlan } from './plan-status.ts'
import { destroyedConditions } from './settled-object.ts'
import { tellConditions } from './tell-conditions.ts'
import { driftOfBatch } from './tell-drift.ts'
import { tellSettled } from './tell-settled.ts'

/**
 * After a plan was carried out: takes away the marks of objects that were applied in full, and writes the status of those whose
 * status does not follow from one outcome alone.
 */
export async function settleNodes(
  parts: EngineParts,
  plan: PlanInHand,
  tally: ApplyTally,
  changeAt: (index: number) => Promise<ChangeRecord | undefined>,
): Promise<void> {
  const status = await readPlan(parts.objects, plan)
  const since = status === undefined ? 0 : (planStatusOf(status).planned?.revision ?? 0)
  await clearMarks(parts.estate, settledPlaces(tally), ['written', 'unsettled'], { since, by: plan.uid })
  for (const node of tally.nodes()) {
    const work = node.hasSeveralParts ? (await changeAt(node.first))?.work : undefined
    if (work === undefined) continue
    const settled = node.isSettled && node.isBatch ? await settleBatch(parts.estate, plan.uid, node.place) : undefined
    await tellNode(parts, node, work, settled)
  }
}

function* settledPlaces(tally: ApplyTally): Generator<NodePlace> {
  for (const { place, isSettled } of tally.nodes()) if (isSettled) yield place
}

async function tellNode(
  parts: EngineParts,
  node: NodeTally,
  work: WorkOrder,
  /** So many are ready, and nothing else is there: that need not be counted. */
  settled: number | undefined,
): Promise<void> {
  const { place, isDestroyed, isSettled } = node
  const found = await parts.reader.node(place)
  if (found === undefined || found.uid !== work.uid) return
  const left = await leftToDo(parts.estate, place)
  if (repetitionOf(found.spec) !== 'single') return tellBatch(parts, node, work, settled, left)
  if (isSettled && !left.isUnsettled && !isDestroyed)
    return tellSettled(parts, { ...found, generation: work.generation, size: undefined })
  if (!isSettled && node.isBatch) await tellConditions(parts, place, work.uid, [instancesLeft])
}

const instancesLeft: ConditionFacts = {
  type: 'Applied',
  status: 'False',
  reason: 'PartiallyApplied',
  message: 'instances that it no longer has are still there',
}

/** What the marks of an object say after a plan was carried out. */
interface LeftToDo {
  /** It was edited after the plan was made, or its edit was not applied. */
  readonly isEdited: boolean
  readonly isUnsettled: boolean
}

async function leftToDo(estate: Estate, place: NodePlace): Promise<LeftToDo> {
  return {
    isEdited: (await estate.mark(place, 'written')) !== undefined,
    isUnsettled: (await estate.mark(place, 'unsettled')) !== undefined,
  }
}

// Marks decide, and not the changes of this plan: another plan may have done what this one was refused.
async function tellBatch(
  { objects, estate, clock }: EngineParts,
  { place: node, isSettled, isDestroyed, leaving }: NodeTally,
  work: WorkOrder,
  settled: number | undefined,
  { isEdited, isUnsettled }: LeftToDo,
): Promise<void> {
  await objects.update(node, node, async (object) => {
    if (object.metadata?.uid !== work.uid) return undefined
    const total = work.instances ?? (await totalOf(object.spec, () => estate.count(stateRange(node))))
    const { ready, drifted } =
      settled === undefined ? await countInstances(estate, node, new Set(leaving)) : { ready: settled, drifted: 0 }
    const isReady = ready === total && !isUnsettled && !isDestroyed
    const isCurrent = object.metadata.generation === work.generation
    const isWhole = isReady && !isEdited && isCurrent
    const message = `${ready} of ${total} instances are ready`
    const condition = (type: string, holds: boolean): ConditionFacts => ({
      type,
      ...(holds ? { status: 'True', reason: 'Applied' } : { status: 'False', reason: 'PartiallyApplied' }),
      message,
    })
    // An edit that was made meanwhile is pending, and stays so.
    const applied = isCurrent ? [condition('Applied', isWhole)] : []
    const conditions = [condition('Ready', isReady), ...applied, driftOfBatch(drifted, total)]
    const told = isSettled && isDestroyed && ready === 0 ? destroyedConditions : conditions
    // An instance with an unknown outcome is not covered up.
    const isUnknown = !isSettled && (await estate.count(journalRangeOf(node))) > 0
    const set = {
      attributes: undefined,
      instances: { total, ready },
      ...(isWhole && { observedGeneration: work.generation }),
      conditions: isUnknown ? told.filter(({ type }) => type !== 'Ready') : told,
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

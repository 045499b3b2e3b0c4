import type { RunningPlan } from '../../estate/index.ts'
import {
  type ConditionFacts,
  destroyedConditions,
  type Estate,
  journalRangeOf,
  settleBatch,
  stateRange,
  withStatus,
} from '../../estate/index.ts'
import { repetitionOf } from '../../evaluation/index.ts'
import type { ChangeRecord, ResourceRef, WorkOrder } from '../../model/index.ts'
import { planStatusOf, readPlan } from '../api/plan-status.ts'
import { countInstances } from '../count-instances.ts'
import type { EngineParts } from '../engine-parts.ts'
import { clearMarks } from '../planning/clear-marks.ts'
import { writeConditions } from '../status/write-conditions.ts'
import { driftOfBatch } from '../status/write-drift.ts'
import { writeSettledStatus } from '../status/write-settled-status.ts'
import type { ApplyTally, ObjectTally } from './apply-tally.ts'

/**
 * Finishes the objects of a plan after its last step: removes the marks of fully applied objects, and writes the status of objects with
 * several instances or deposed resources, which no single outcome determines.
 */
export async function settleObjects(
  parts: EngineParts,
  plan: RunningPlan,
  tally: ApplyTally,
  changeAt: (index: number) => Promise<ChangeRecord | undefined>,
): Promise<void> {
  const status = await readPlan(parts.objects, plan)
  const since = status === undefined ? 0 : (planStatusOf(status).planned?.revision ?? 0)
  await clearMarks(parts.estate, settledRefs(tally), ['written', 'unsettled'], { since, by: plan.uid })
  for (const object of tally.objects()) {
    const work = object.hasSeveralParts ? (await changeAt(object.first))?.work : undefined
    if (work === undefined) continue
    const settled =
      object.isSettled && object.isBatch ? await settleBatch(parts.estate, plan.uid, object.ref) : undefined
    await writeStatus(parts, object, work, settled)
  }
}

function* settledRefs(tally: ApplyTally): Generator<ResourceRef> {
  for (const { ref, isSettled } of tally.objects()) if (isSettled) yield ref
}

async function writeStatus(
  parts: EngineParts,
  tally: ObjectTally,
  work: WorkOrder,
  /** The number of ready instances if the batch is settled, so that they needn't be counted. */
  settled: number | undefined,
): Promise<void> {
  const { ref, isDestroyed, isSettled } = tally
  const found = await parts.reader.object(ref)
  if (found === undefined || found.uid !== work.uid) return
  const remaining = await remainingWork(parts.estate, ref)
  if (repetitionOf(found.spec) !== 'single') return writeBatchStatus(parts, tally, work, settled, remaining)
  if (isSettled && !remaining.isUnsettled && !isDestroyed)
    return writeSettledStatus(parts, { ...found, generation: work.generation, size: undefined })
  if (!isSettled && tally.isBatch) await writeConditions(parts, ref, work.uid, [instancesLeft])
}

const instancesLeft: ConditionFacts = {
  type: 'Applied',
  status: 'False',
  reason: 'PartiallyApplied',
  message: 'instances that are no longer desired still exist',
}

/** The marks of an object after a plan was applied. */
interface RemainingWork {
  /** True when it was edited after the plan was made, or its edit was not applied. */
  readonly isEdited: boolean
  readonly isUnsettled: boolean
}

async function remainingWork(estate: Estate, ref: ResourceRef): Promise<RemainingWork> {
  return {
    isEdited: (await estate.mark(ref, 'written')) !== undefined,
    isUnsettled: (await estate.mark(ref, 'unsettled')) !== undefined,
  }
}

// Marks decide instead of this plan's outcomes, because another plan may have applied a change that this one was refused.
async function writeBatchStatus(
  { objects, estate, clock }: EngineParts,
  { ref, isSettled, isDestroyed, leaving }: ObjectTally,
  work: WorkOrder,
  settled: number | undefined,
  { isEdited, isUnsettled }: RemainingWork,
): Promise<void> {
  await objects.update(ref, ref, async (object) => {
    if (object.metadata?.uid !== work.uid) return undefined
    const total = work.instances ?? (await totalOf(object.spec, () => estate.count(stateRange(ref))))
    const { ready, drifted } =
      settled === undefined ? await countInstances(estate, ref, new Set(leaving)) : { ready: settled, drifted: 0 }
    const isReady = ready === total && !isUnsettled && !isDestroyed
    const isCurrent = object.metadata.generation === work.generation
    const isWhole = isReady && !isEdited && isCurrent
    const message = `${ready} of ${total} instances are ready`
    const condition = (type: string, holds: boolean): ConditionFacts => ({
      type,
      ...(holds ? { status: 'True', reason: 'Applied' } : { status: 'False', reason: 'PartiallyApplied' }),
      message,
    })
    // The spec was edited while the plan was applied, so Applied stays as the edit left it.
    const applied = isCurrent ? [condition('Applied', isWhole)] : []
    const conditions = [condition('Ready', isReady), ...applied, driftOfBatch(drifted, total)]
    const shown = isSettled && isDestroyed && ready === 0 ? destroyedConditions : conditions
    // While an instance has an unknown outcome, Ready stays Unknown.
    const isUnknown = !isSettled && (await estate.count(journalRangeOf(ref))) > 0
    const set = {
      attributes: undefined,
      instances: { total, ready },
      ...((isWhole || shown === destroyedConditions) && { observedGeneration: work.generation }),
      conditions: isUnknown ? shown.filter(({ type }) => type !== 'Ready') : shown,
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

import { inParallel } from '@hykube/machinery/base'
import { finalPhases } from '@hykube/machinery/plan-api'
import type { Estate, RunningPlan, StoredIntent } from '../../estate/index.ts'
import { planStatusOf, readPlan } from '../api/plan-status.ts'
import type { EngineParts } from '../engine-parts.ts'
import { EstatePorts } from './estate-ports.ts'
import { ledgerOf } from './ledger-of.ts'
import { ManagedIds } from './managed-ids.ts'
import { recoverIntent } from './recover-change.ts'

/** Recovers the open calls of a plan before it is continued. Concurrently, because each may take a while. */
export async function recoverPlan(parts: EngineParts, plan: RunningPlan): Promise<void> {
  const ports = new EstatePorts(parts, ledgerOf(parts, plan))
  const managed = new ManagedIds(parts.estate)
  await inParallel(intentsOf(parts.estate, plan), atOnce, async (stored) => {
    await recoverIntent(parts, ports, managed, stored)
  })
}

/**
 * Recovers open calls of plans that have ended or were deleted, such as calls on other machines whose deadline has passed. Calls that can't be
 * decided are reported in the object's status.
 */
export async function recoverOpenCalls(parts: EngineParts): Promise<void> {
  const managed = new ManagedIds(parts.estate)
  const now = parts.clock.now()
  await inParallel(parts.estate.intents(), atOnce, async (stored) => {
    const { intent, ref } = stored
    const isDue = intent.unknown === undefined || (intent.waits === true && intent.deadline <= now)
    if (!isDue || (await isPlanActive(parts, stored))) return
    const plan = { cluster: ref.cluster, uid: intent.plan, name: intent.planName, namespace: intent.planNamespace }
    const ports = new EstatePorts(parts, ledgerOf(parts, plan))
    await recoverIntent(parts, ports, managed, stored)
  })
}

async function isPlanActive({ objects }: EngineParts, { ref, intent }: StoredIntent): Promise<boolean> {
  const plan = await readPlan(objects, {
    cluster: ref.cluster,
    namespace: intent.planNamespace,
    name: intent.planName,
  })
  return plan?.metadata?.uid === intent.plan && !finalPhases.has(planStatusOf(plan).phase)
}

async function* intentsOf(estate: Estate, { cluster, uid }: RunningPlan): AsyncGenerator<StoredIntent> {
  for await (const stored of estate.intents(cluster)) if (stored.intent.plan === uid) yield stored
}

// Concurrent recoveries.
const atOnce = 50

import type { Estate, StoredIntent } from '../estate/index.ts'
import type { EngineParts } from './engine-parts.ts'
import { EstatePorts } from './estate-ports.ts'
import type { PlanInHand } from './ledger.ts'
import { ledgerOf } from './ledger-of.ts'
import { ManagedIds } from './managed-ids.ts'
import { finalPhases, planStatusOf, readPlan } from './plan-status.ts'
import { recoverIntent } from './recovery.ts'

/** Decides what an earlier server began for a plan, before anything else of it is done. Many at a time: each may take a while. */
export async function recoverPlan(parts: EngineParts, plan: PlanInHand): Promise<void> {
  const ports = new EstatePorts(parts, ledgerOf(parts, plan))
  const managed = new ManagedIds(parts.estate)
  await inParallel(intentsOf(parts.estate, plan), async (stored) => {
    await recoverIntent(parts, ports, managed, stored)
  })
}

/**
 * Decides what is left open by plans that are over, or gone: calls on other machines whose time is up by now. What nobody can decide is
 * told, so that nothing stays open in silence.
 */
export async function recoverLeftOpen(parts: EngineParts): Promise<void> {
  const managed = new ManagedIds(parts.estate)
  const now = parts.clock.now()
  await inParallel(parts.estate.intents(), async (stored) => {
    const { intent, node } = stored
    const isDue = intent.unknown === undefined || (intent.waits === true && intent.deadline <= now)
    if (!isDue || (await isUnderWay(parts, stored))) return
    const plan = { cluster: node.cluster, uid: intent.plan, name: intent.planName, namespace: intent.planNamespace }
    const ports = new EstatePorts(parts, ledgerOf(parts, plan))
    await recoverIntent(parts, ports, managed, stored)
  })
}

async function isUnderWay({ objects }: EngineParts, { node, intent }: StoredIntent): Promise<boolean> {
  const plan = await readPlan(objects, {
    cluster: node.cluster,
    namespace: intent.planNamespace,
    name: intent.planName,
  })
  return plan?.metadata?.uid === intent.plan && !finalPhases.has(planStatusOf(plan).phase)
}

async function* intentsOf(estate: Estate, { cluster, uid }: PlanInHand): AsyncGenerator<StoredIntent> {
  for await (const stored of estate.intents(cluster)) if (stored.intent.plan === uid) yield stored
}

async function inParallel<T>(source: AsyncIterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const iterator = source[Symbol.asyncIterator]()
  let isDone = false
  let turn: Promise<unknown> = Promise.resolve()
  const take = () => {
    const next = turn.then(() => (isDone ? undefined : iterator.next()))
    turn = next.catch(() => {})
    return next
  }
  const worker = async () => {
    for (;;) {
      const next = await take()
      if (next === undefined || next.done === true) {
        isDone = true
        return
      }
      await work(next.value)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

const atOnce = 50

import {
  changedAttributes,
  type InstanceStates,
  isGone,
  type NodeKind,
  type NodePlace,
  outputOfRecord,
} from '../plan/index.ts'
import type { EngineParts } from './engine-parts.ts'
import { type ConditionFacts, withStatus } from './object-status.ts'

/**
 * Tells in the condition Drifted what a reading saw. Looking changes nothing outside and nothing that is wanted, so that this
 * needs no approval; it is written when it differs from what was told before.
 */
export async function tellDrift({ objects, estate, kinds, clock }: EngineParts, node: NodePlace): Promise<void> {
  const kind = kinds.at(node.cluster, node.group, node.resource)
  if (kind === undefined || kind.data) return
  await objects.update(node, node, async (object) => {
    const states = await estate.states(node)
    const [uid] = states.flatMap(({ current }) => current?.record.uid ?? [])
    if (uid !== object.metadata?.uid) return undefined
    const before = (object.status as { conditions?: readonly ConditionFacts[] } | undefined)?.conditions
    const facts = driftCondition(kind, states)
    const told = before?.find(({ type }) => type === facts.type)
    if (told?.status === facts.status && told.message === facts.message) return undefined
    // What was never told to differ need not be told to be the same.
    if (told?.status !== 'True' && facts.status === 'False') return undefined
    return withStatus(object, { conditions: [facts] }, clock.now())
  })
}

/** Whether what was last seen outside differs from what was applied, and where. */
function driftCondition(kind: NodeKind, states: readonly InstanceStates[]): ConditionFacts {
  const drifted = states.filter(({ current, observed }) => current !== undefined && observed !== undefined)
  const [first] = drifted
  const isBatch = states.some(({ instance }) => instance !== undefined)
  if (isBatch || first === undefined) return driftOfBatch(drifted.length, states.length)
  return { type: 'Drifted', status: 'True', reason: 'ChangedOutside', message: where(kind, first) }
}

/** Whether so many instances of an object differ from what was applied. */
export function driftOfBatch(drifted: number, total: number): ConditionFacts {
  if (drifted === 0) return { type: 'Drifted', status: 'False', reason: 'AsApplied', message: '' }
  const message = `${drifted} of ${total} instances differ from what was applied`
  return { type: 'Drifted', status: 'True', reason: 'ChangedOutside', message }
}

// Names of attributes only: what they hold may be sensitive.
function where({ schema }: NodeKind, { current, observed }: InstanceStates): string {
  if (isGone(observed!.record)) return 'it does not exist any more'
  const [before, after] = [current!, observed!].map(({ record }) => outputOfRecord(schema, record).value)
  const names = changedAttributes(schema, before, after!)
  return `changed outside: ${names.join(', ')}`
}

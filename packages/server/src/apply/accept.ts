import { changedAttributes, outputOfRecord, shownAttributes } from '../plan/index.ts'
import type { ApplyPorts, ChangeInHand } from './ports.ts'
import { movedObject, movedState, plannedPrior } from './staleness.ts'
import { refuse, type StepOutcome } from './step-outcome.ts'

/** Takes what was seen outside as what is there. It is not what was asked for, so the next plan looks at it again. */
export async function applyAccept(ports: ApplyPorts, change: ChangeInHand): Promise<StepOutcome> {
  const { place, record } = change
  const node = await ports.node(place.node)
  const moved = movedObject(node, record.work!)
  if (node === undefined || moved !== undefined) return refuse(ports, change, moved ?? '')
  const states = await ports.state(place.node, place.instance)
  const known = plannedPrior(states, record)
  if (known === 'moved' || known === undefined) return refuse(ports, change, movedState)
  const begun = await ports.ledger.begin({ change, step: 'update', node, states })
  if (begun.kind === 'refused') return refuse(ports, change, begun.message)
  const { schema } = node.kind
  const seenIn = (of: typeof known | undefined) => of && outputOfRecord(schema, of.record).value
  await ports.ledger.end(begun, {
    outcome: { result: 'applied', at: ports.now() },
    record: { ...known.record, fingerprint: '' },
    attributes: () => shownAttributes(schema, known.record),
    changed: () => changedAttributes(schema, seenIn(states?.current), seenIn(known)!),
  })
  return { kind: 'applied' }
}

import { changedAttributes, outputOfRecord, shownAttributes } from '../evaluation/index.ts'
import type { ChangeInProgress } from '../model/index.ts'
import type { ApplyPorts } from './ports.ts'
import { changedObject, changedState, plannedPrior } from './staleness.ts'
import { refuse, type StepOutcome } from './step-outcome.ts'

/** Applies a change of a refresh-only plan: the observed state becomes the current one. It may differ from the spec, so the fingerprint is cleared and the next plan visits the object. */
export async function applyAccept(ports: ApplyPorts, change: ChangeInProgress): Promise<StepOutcome> {
  const { target, record } = change
  const object = await ports.object(target.ref)
  const moved = changedObject(object, record.work!)
  if (object === undefined || moved !== undefined) return refuse(ports, change, moved ?? '')
  const states = await ports.state(target.ref, target.instance)
  const known = plannedPrior(states, record)
  if (known === 'changed' || known === undefined) return refuse(ports, change, changedState)
  const begun = await ports.ledger.begin({ change, step: 'update', object, states })
  if (begun.kind === 'refused') return refuse(ports, change, begun.message)
  const { schema } = object.kind
  const { drift: _, ...accepted } = known.record
  const seenIn = (of: typeof known | undefined) => of && outputOfRecord(schema, of.record).value
  await ports.ledger.end(begun, {
    outcome: { result: 'applied', at: ports.now() },
    record: { ...accepted, fingerprint: '' },
    attributes: () => shownAttributes(schema, known.record),
    changed: () => changedAttributes(schema, seenIn(states?.current), seenIn(known)!),
  })
  return { kind: 'applied' }
}

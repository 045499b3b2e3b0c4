import type { ChangeInHand, OrderedChange } from '../apply/index.ts'
import type { StoredChange } from '../estate/index.ts'
import { type ChangeRecord, nodeToText } from '../plan/index.ts'

/** What of a change is kept in memory while its plan is carried out. */
export interface ChangeHeader extends OrderedChange {
  readonly place: ChangeInHand['place']
  readonly address: string
  readonly action: ChangeRecord['action']
  /** The provider and its configuration. */
  readonly pool: string
  /** How it came out in an earlier attempt. */
  readonly result: string | undefined
}

/** The header of a change. */
export function headerOf({ place, record }: StoredChange<ChangeRecord>): ChangeHeader {
  const { action, order, work, address, outcome } = record
  return {
    place: { node: place.node, instance: place.instance, part: place.part },
    address,
    action,
    pool: `${record.provider}/${work?.configuration ?? ''}`,
    result: outcome?.result,
    node: nodeToText(place.node),
    makes:
      action === 'create' || action === 'update' || action === 'replace' || action === 'read' || action === 'import',
    destroys: action === 'delete' || action === 'replace' || action === 'forget',
    createFirst: order === 'create-first',
    refersTo: work?.refersTo ?? [],
    madeFrom: work?.madeFrom ?? [],
  }
}

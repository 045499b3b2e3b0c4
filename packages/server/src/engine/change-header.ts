import type { ChangeInHand, OrderedChange } from '../apply/index.ts'
import type { StoredChange } from '../estate/index.ts'
import { type ChangeRecord, type NodePlace, nodeToText } from '../plan/index.ts'

/** What of a change is kept in memory while its plan is carried out. There may be a million. */
export interface ChangeHeader extends OrderedChange {
  readonly place: ChangeInHand['place']
  readonly action: ChangeRecord['action']
  /** The provider and its configuration. */
  readonly pool: string
  /** It goes because the plan says so, and not because of what is written. */
  readonly isUnwritten: boolean
  /** How it came out in an earlier attempt. */
  readonly result: string | undefined
}

/** Makes headers of changes that come in the order of addresses: what the next one has in common with the last is kept once. */
export class ChangeHeaders {
  #last: ChangeHeader | undefined

  of({ place, record }: StoredChange<ChangeRecord>): ChangeHeader {
    const { action, order, work, outcome, reason } = record
    const last = this.#last
    const text = nodeToText(place.node)
    const isSame = last?.node === text
    const header: ChangeHeader = {
      place: {
        node: isSame ? last.place.node : beside(last?.place.node, place.node),
        instance: place.instance,
        part: place.part,
      },
      action,
      pool: same(last?.pool, `${record.provider}/${work?.configuration ?? ''}`),
      isUnwritten: (action === 'delete' || action === 'forget') && reason === undefined && place.part === '',
      result: outcome?.result,
      node: isSame ? last.node : text,
      makes: makes.has(action),
      destroys: destroys.has(action),
      createFirst: order === 'create-first',
      refersTo: sameList(last?.refersTo, work?.refersTo ?? none),
      madeFrom: sameList(last?.madeFrom, work?.madeFrom ?? none),
    }
    this.#last = header
    return header
  }
}

const makes: ReadonlySet<string> = new Set(['create', 'update', 'replace', 'read', 'import'])
const destroys: ReadonlySet<string> = new Set(['delete', 'replace', 'forget'])
const none: readonly string[] = []

// Of a million objects in a row, only the names differ.
function beside(last: NodePlace | undefined, { cluster, group, resource, namespace, name }: NodePlace): NodePlace {
  return {
    cluster: same(last?.cluster, cluster),
    group: same(last?.group, group),
    resource: same(last?.resource, resource),
    namespace: same(last?.namespace, namespace),
    name,
  }
}

function same(known: string | undefined, text: string): string {
  return known === text ? known : text
}

function sameList(known: readonly string[] | undefined, list: readonly string[]): readonly string[] {
  return known?.length === list.length && known.every((text, at) => text === list[at]) ? known : list
}

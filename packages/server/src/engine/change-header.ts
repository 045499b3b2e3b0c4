import type { ChangeInHand, OrderedChange } from '../apply/index.ts'
import type { SortedChange } from '../estate/index.ts'
import { type ChangeRecord, type NodePlace, nodeToText } from '../plan/index.ts'

/** What of a change is kept in memory while its plan is carried out. There may be a million. */
export interface ChangeHeader extends OrderedChange {
  readonly place: ChangeInHand['place']
  readonly action: ChangeRecord['action']
  /** The provider and its configuration. */
  readonly pool: string
  readonly configuration: string
  /** Of a replacement: the old object is forgotten, and not destroyed. */
  readonly keepsOld: boolean
  /** It goes because the plan says so, and not because of what is written. */
  readonly isUnwritten: boolean
  /** How it came out in an earlier attempt. */
  readonly result: string | undefined
}

/** What of a header many changes of a plan have in common. */
export type ChangeSort = Omit<ChangeHeader, 'place' | 'node' | 'isUnwritten'> & { readonly hasReason: boolean }

export function sortOf({ action, order, work, outcome, reason, provider }: ChangeRecord): ChangeSort {
  return {
    action,
    pool: `${provider}/${work?.configuration ?? ''}`,
    configuration: work?.configuration ?? '',
    hasReason: reason !== undefined,
    result: outcome?.result,
    makes: makes.has(action),
    destroys: destroys.has(action),
    createFirst: order === 'create-first',
    keepsOld: order === 'forget-first',
    refersTo: work?.refersTo ?? none,
    madeFrom: work?.madeFrom ?? none,
  }
}

/** Gives changes of a plan that are of the same sort the same number, as long as there are not too many sorts; 0 to others. */
export class ChangeSorts {
  readonly #numbers = new Map<string, number>()

  numberOf(record: ChangeRecord): number {
    const { action, order, work, outcome, reason, provider } = record
    if (outcome !== undefined) return 0
    const { configuration = '', refersTo = none, madeFrom = none } = work ?? {}
    const text = [
      `${action} ${order} ${reason !== undefined} ${provider} ${configuration}`,
      ...refersTo,
      '',
      ...madeFrom,
    ].join('\n')
    const known = this.#numbers.get(text)
    if (known !== undefined || this.#numbers.size === mostSorts) return known ?? 0
    this.#numbers.set(text, this.#numbers.size + 1)
    return this.#numbers.size
  }
}

const mostSorts = 4096

/** Makes headers of changes that come in the order of addresses: what the next one has in common with the last is kept once. */
export class ChangeHeaders {
  #last: ChangeHeader | undefined

  of({ place, sort: { hasReason, ...sort }, came }: SortedChange<ChangeSort>): ChangeHeader {
    const { action, pool, configuration, refersTo, madeFrom } = sort
    const last = this.#last
    const text = nodeToText(place.node)
    const isSame = last?.node === text
    const header: ChangeHeader = {
      place: {
        node: isSame ? last.place.node : beside(last?.place.node, place.node),
        instance: place.instance,
        part: place.part,
      },
      ...sort,
      pool: same(last?.pool, pool),
      configuration: same(last?.configuration, configuration),
      isUnwritten: (action === 'delete' || action === 'forget') && !hasReason && place.part === '',
      result: (came as Pick<ChangeRecord, 'outcome'> | undefined)?.outcome?.result ?? sort.result,
      node: isSame ? last.node : text,
      refersTo: sameList(last?.refersTo, refersTo),
      madeFrom: sameList(last?.madeFrom, madeFrom),
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

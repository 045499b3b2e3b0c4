import type { ChangeInHand } from '../apply/index.ts'
import { changeKey, type Estate, type StoredChange } from '../estate/index.ts'
import type { ChangeRecord } from '../plan/index.ts'
import { compareKeys } from '../storage/index.ts'
import type { ChangeHeader } from './change-header.ts'
import type { PlanInHand } from './ledger.ts'

/**
 * Reads the changes of a plan for its steps. Where they are asked for one after the other, as those of many instances are, a
 * page of them is read at a time. A change of two steps is read anew for each: what came of the first is told with it.
 */
export class ChangesAhead {
  readonly #estate: Estate
  readonly #plan: PlanInHand
  readonly #changes: readonly ChangeHeader[]
  /** The last two: of the one before, some may still be asked for. */
  #pages: readonly AheadPage[] = []
  #last = -1

  constructor(estate: Estate, plan: PlanInHand, changes: readonly ChangeHeader[]) {
    this.#estate = estate
    this.#plan = plan
    this.#changes = changes
  }

  /** A change by its number; undefined when it is gone. */
  async read(index: number): Promise<ChangeInHand | undefined> {
    const header = this.#changes[index]!
    const isNext = index > this.#last && index <= this.#last + nearby
    this.#last = index
    if (header.makes && header.destroys) return this.one(header)
    const page = this.#pages.find(({ from }) => index >= from && index < from + together)
    if (page === undefined && !isNext) return this.one(header)
    const { from, changes } = page ?? this.#open(index)
    const stored = (await changes)[index - from]
    // Nobody adds changes to a plan that is carried out. Should it be otherwise, the right one is read by itself.
    const isRight = stored !== undefined && compareKeys(stored.key, this.#keyOf(header.place)) === 0
    return isRight ? { place: header.place, record: stored.record } : this.one(header)
  }

  /** A change as it is now; undefined when it is gone. */
  async one({ place }: Pick<ChangeHeader, 'place'>): Promise<ChangeInHand | undefined> {
    const stored = await this.#estate.change<ChangeRecord>(this.#keyOf(place))
    return stored === undefined ? undefined : { place, record: stored.record }
  }

  #open(from: number): AheadPage {
    const before = this.#changes[from - 1]
    const after = before === undefined ? {} : { after: this.#keyOf(before.place) }
    const { cluster, uid } = this.#plan
    const read = this.#estate.changePage<ChangeRecord>(cluster, uid, { limit: together, ...after })
    const page = { from, changes: read.then(({ changes }) => changes) }
    this.#pages = [page, ...this.#pages.slice(0, 1)]
    return page
  }

  #keyOf(place: ChangeHeader['place']) {
    const { cluster, uid } = this.#plan
    return changeKey({ cluster, plan: uid, ...place })
  }
}

interface AheadPage {
  /** The number of its first change. */
  readonly from: number
  readonly changes: Promise<readonly StoredChange<ChangeRecord>[]>
}

// So many are read at a time, and so many may be left out between two that are asked for one after the other.
const together = 200
const nearby = 4

import type { RunningPlan } from '../../estate/index.ts'
import { changeKey, type Estate, type StoredChange } from '../../estate/index.ts'
import type { ChangeInProgress, ChangeRecord } from '../../model/index.ts'
import { compareKeys } from '../../storage/index.ts'
import type { ChangeHeader } from './change-header.ts'

/**
 * Reads the changes of a plan for its steps. Sequential access, as with many instances, reads a page at a time. A change with two steps is
 * read again for the second one, because its record then has the outcome of the first.
 */
export class ChangesAhead {
  readonly #estate: Estate
  readonly #plan: RunningPlan
  readonly #changes: readonly ChangeHeader[]
  /** The last two pages; steps of the earlier one may still start. */
  #pages: readonly AheadPage[] = []
  #last = -1

  constructor(estate: Estate, plan: RunningPlan, changes: readonly ChangeHeader[]) {
    this.#estate = estate
    this.#plan = plan
    this.#changes = changes
  }

  /** Reads a change by its number; undefined when it no longer exists. */
  async read(index: number): Promise<ChangeInProgress | undefined> {
    const header = this.#changes[index]!
    const isNext = index > this.#last && index <= this.#last + nearby
    this.#last = index
    if (header.makes && header.destroys) return this.one(header)
    const page = this.#pages.find(({ from }) => index >= from && index < from + pageSize)
    if (page === undefined && !isNext) return this.one(header)
    const { from, changes } = page ?? this.#open(index)
    const stored = (await changes)[index - from]
    // Changes aren't added while a plan is applied; if the page is shifted anyway, the change is read by its key.
    const isRight = stored !== undefined && compareKeys(stored.key, this.#keyOf(header.target)) === 0
    return isRight ? { target: header.target, record: stored.record } : this.one(header)
  }

  /** Reads the current record of a change; undefined when it no longer exists. */
  async one({ target }: Pick<ChangeHeader, 'target'>): Promise<ChangeInProgress | undefined> {
    const stored = await this.#estate.change<ChangeRecord>(this.#keyOf(target))
    return stored === undefined ? undefined : { target, record: stored.record }
  }

  #open(from: number): AheadPage {
    const before = this.#changes[from - 1]
    const after = before === undefined ? {} : { after: this.#keyOf(before.target) }
    const { cluster, uid } = this.#plan
    const read = this.#estate.changePage<ChangeRecord>(cluster, uid, { limit: pageSize, ...after })
    const page = { from, changes: read.then(({ changes }) => changes) }
    this.#pages = [page, ...this.#pages.slice(0, 1)]
    return page
  }

  #keyOf(target: ChangeHeader['target']) {
    const { cluster, uid } = this.#plan
    return changeKey({ cluster, plan: uid, ...target })
  }
}

interface AheadPage {
  /** The number of its first change. */
  readonly from: number
  readonly changes: Promise<readonly StoredChange<ChangeRecord>[]>
}

// Changes per page, and the largest gap between numbers that still counts as sequential access.
const pageSize = 200
const nearby = 4

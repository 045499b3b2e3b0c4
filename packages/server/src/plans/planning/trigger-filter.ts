import type { SyncTrigger } from '@hykube/machinery/sync-api'
import type { Estate, StoredMark } from '../../estate/index.ts'
import { isDrifted, type ResourceRef } from '../../model/index.ts'

/**
 * Restricts a plan to edits or to drift. The marks are read when an object is planned, after its spec: an edit that is written
 * while the plan is made is seen.
 */
export class TriggerFilter {
  readonly #estate: Estate
  readonly #only: SyncTrigger | undefined

  constructor(estate: Estate, triggers: ReadonlySet<SyncTrigger>) {
    this.#estate = estate
    this.#only = triggers.size === 1 ? [...triggers][0] : undefined
  }

  /**
   * Reports whether an object may be planned. Its plan makes it as its spec says, so an edited object is left out when only drift
   * counts, and a drifted one without an edit when only edits count.
   */
  async allows(ref: ResourceRef): Promise<boolean> {
    if (this.#only === undefined) return true
    const isEdited = (await this.#estate.mark(ref, 'written')) !== undefined
    return this.#only === 'Drift' ? !isEdited : isEdited || !(await this.#isDrifted(ref))
  }

  /** Reports whether the objects that a mark of outputs or of a configuration affects may be planned because of it. */
  async follows({ kind, ref }: StoredMark): Promise<boolean> {
    if (this.#only === undefined) return true
    return (this.#only === 'Drift') === (kind === 'outputs' && (await this.#isDrifted(ref)))
  }

  // Observed drift leaves the mark `unsettled`, so that the states of most objects need not be read.
  async #isDrifted(ref: ResourceRef): Promise<boolean> {
    if ((await this.#estate.mark(ref, 'unsettled')) === undefined) return false
    return (await this.#estate.states(ref)).some(isDrifted)
  }
}

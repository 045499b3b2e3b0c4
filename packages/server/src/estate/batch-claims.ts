import { type PlannedBatch, type ResourceRef, refToText } from '../model/index.ts'
import type { Estate } from './estate.ts'
import { putBatch } from './records/batches.ts'

/**
 * Maintains the batch records of objects with many instances while a plan is applied. Before the first instance changes, the record is
 * claimed by the plan, so that other plans don't trust the old settlement. After all changes are applied, the record becomes the new
 * settlement. If another plan changed the batch since this plan was made, no settlement is stored and the next plan reads each instance.
 */
export class BatchClaims {
  readonly #estate: Estate
  readonly #plan: string
  readonly #claimed = new Map<string, Promise<void>>()

  constructor(estate: Estate, plan: string) {
    this.#estate = estate
    this.#plan = plan
  }

  /** Call it before an instance is changed. Only the first call for an object writes. */
  claim(ref: ResourceRef, batch: PlannedBatch | undefined): Promise<void> {
    const text = refToText(ref)
    let claimed = this.#claimed.get(text)
    if (claimed === undefined) {
      claimed = this.#claim(ref, batch)
      this.#claimed.set(text, claimed)
    }
    return claimed
  }

  async #claim(ref: ResourceRef, batch: PlannedBatch | undefined): Promise<void> {
    for (;;) {
      const known = await this.#estate.batch(ref)
      if (known === undefined && batch === undefined) return
      const isUnmoved = known?.plan === this.#plan ? known.settled !== undefined : known?.revision === batch?.seen
      const settled = batch !== undefined && isUnmoved ? { template: batch.template, count: batch.count } : undefined
      const record = { plan: this.#plan, ...(settled !== undefined && { settled }) }
      const outcome = await this.#estate.commit({ operations: [putBatch(ref, record, known?.revision)] })
      if (outcome.kind === 'committed') return
    }
  }
}

/** Stores the settlement of an object whose changes were all applied. Returns the number of instances; undefined when the claim was lost. */
export async function settleBatch(estate: Estate, plan: string, ref: ResourceRef): Promise<number | undefined> {
  const known = await estate.batch(ref)
  if (known?.plan !== plan || known.settled === undefined) return undefined
  const { settled, revision } = known
  const outcome = await estate.commit({ operations: [putBatch(ref, { settled }, revision)] })
  return outcome.kind === 'committed' ? settled.count : undefined
}

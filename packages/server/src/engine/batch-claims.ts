import { type Estate, putBatch } from '../estate/index.ts'
import { type NodePlace, nodeToText, type PlannedBatch } from '../plan/index.ts'

/**
 * What a plan that is applied says of objects with many instances as a whole. It says that it changes some before it does, so
 * that nobody believes what was said before; and what they are settled with when all was applied. Where somebody else changed
 * them since the plan was made, nothing is said in the end, and the next plan looks at each.
 */
export class BatchClaims {
  readonly #estate: Estate
  readonly #plan: string
  readonly #claimed = new Map<string, Promise<void>>()

  constructor(estate: Estate, plan: string) {
    this.#estate = estate
    this.#plan = plan
  }

  /** To be called before an instance is changed. It costs something once for each object. */
  claim(node: NodePlace, batch: PlannedBatch | undefined): Promise<void> {
    const text = nodeToText(node)
    let claimed = this.#claimed.get(text)
    if (claimed === undefined) {
      claimed = this.#claim(node, batch)
      this.#claimed.set(text, claimed)
    }
    return claimed
  }

  async #claim(node: NodePlace, batch: PlannedBatch | undefined): Promise<void> {
    for (;;) {
      const known = await this.#estate.batch(node)
      if (known === undefined && batch === undefined) return
      const isUnmoved = known?.plan === this.#plan ? known.settled !== undefined : known?.revision === batch?.seen
      const settled = batch !== undefined && isUnmoved ? { template: batch.template, count: batch.count } : undefined
      const record = { plan: this.#plan, ...(settled !== undefined && { settled }) }
      const outcome = await this.#estate.commit({ operations: [putBatch(node, record, known?.revision)] })
      if (outcome.kind === 'committed') return
    }
  }
}

/** Says of an object all of whose changes were applied that all of its instances are settled. Gives how many those are, if that can be said. */
export async function settleBatch(estate: Estate, plan: string, node: NodePlace): Promise<number | undefined> {
  const known = await estate.batch(node)
  if (known?.plan !== plan || known.settled === undefined) return undefined
  const { settled, revision } = known
  const outcome = await estate.commit({ operations: [putBatch(node, { settled }, revision)] })
  return outcome.kind === 'committed' ? settled.count : undefined
}

import type { Clock } from '@hykube/machinery/base'
import { type ApplyPorts, knownRefusal } from '../../applying/index.ts'
import type { ChangeHeader } from './change-header.ts'
import type { ChangesAhead } from './changes-ahead.ts'

/**
 * Keeps a destroy-first replacement from destroying a resource that the plan can't create again: its creation, or a change that the
 * creation waits for, is stale already. An input that changes after the destruction still leaves the replacement incomplete.
 */
export class StaleCreations {
  readonly #ports: ApplyPorts
  readonly #ahead: ChangesAhead
  readonly #changes: readonly ChangeHeader[]
  readonly #clock: Clock
  /** The changes that create or update, by object. Built for the first replacement. */
  #byObject: ReadonlyMap<string, readonly number[]> | undefined
  /** The changes of which a step has begun: their own effect would look like a change by another plan. */
  readonly #begun = new Set<number>()
  #known = new Map<number, Promise<string | undefined>>()
  #until = 0

  constructor(ports: ApplyPorts, ahead: ChangesAhead, changes: readonly ChangeHeader[], clock: Clock) {
    this.#ports = ports
    this.#ahead = ahead
    this.#changes = changes
    this.#clock = clock
  }

  /** Call it before a step begins. */
  begun(index: number): void {
    this.#begun.add(index)
  }

  /** Returns why a replacement must not destroy the old resource; undefined for other changes. */
  async refusal(index: number): Promise<string | undefined> {
    const { makes, createFirst } = this.#changes[index]!
    if (!makes || createFirst) return undefined
    const own = await this.#ahead.one(this.#changes[index]!)
    const why = own && (await knownRefusal(this.#ports, own))
    if (why !== undefined) return why
    for (const awaited of this.#awaitedBy(index)) {
      const stale = await this.#problem(awaited)
      if (stale !== undefined) return stale
    }
    return undefined
  }

  // Bounded, because every replacement of a large plan asks.
  #awaitedBy(index: number): Set<number> {
    const awaited = new Set<number>()
    const seen = new Set<string>([this.#changes[index]!.refText])
    const next = [...this.#changes[index]!.refersTo]
    for (let refText = next.pop(); refText !== undefined && awaited.size < mostAwaited; refText = next.pop()) {
      if (seen.has(refText)) continue
      seen.add(refText)
      for (const change of this.#makesOf(refText).slice(0, mostAwaited)) {
        awaited.add(change)
        next.push(...this.#changes[change]!.refersTo)
      }
    }
    return awaited
  }

  #makesOf(refText: string): readonly number[] {
    this.#byObject ??= this.#group()
    return this.#byObject.get(refText) ?? none
  }

  #group(): Map<string, number[]> {
    const groups = new Map<string, number[]>()
    for (const [index, { makes, refText }] of this.#changes.entries()) {
      if (!makes) continue
      const group = groups.get(refText)
      if (group === undefined) groups.set(refText, [index])
      else group.push(index)
    }
    return groups
  }

  // Answers are kept briefly, because many replacements wait for the same changes.
  #problem(index: number): Promise<string | undefined> {
    const now = this.#clock.now()
    if (now >= this.#until) {
      this.#known = new Map()
      this.#until = now + heldFor
    }
    let known = this.#known.get(index)
    if (known === undefined) {
      known = this.#read(index)
      this.#known.set(index, known)
    }
    return known
  }

  async #read(index: number): Promise<string | undefined> {
    const change = await this.#ahead.one(this.#changes[index]!)
    if (change === undefined) return undefined
    const { address, outcome, half } = change.record
    if (outcome !== undefined)
      return outcome.result === 'applied' ? undefined : `${address}, which it waits for, was not applied`
    if (half !== undefined || this.#begun.has(index)) return undefined
    const why = await knownRefusal(this.#ports, change)
    // Checked again, because the step may have begun meanwhile.
    return why === undefined || this.#begun.has(index) ? undefined : `${address}, which it waits for: ${why}`
  }
}

const none: readonly number[] = []

const mostAwaited = 1000

// Milliseconds.
const heldFor = 1000

import { timeToText } from '@hykube/machinery/amounts'
import type { ApplyPorts, Claim, Ledger } from '../../applying/index.ts'
import { EstateReader } from '../../estate/index.ts'
import { repetitionOf } from '../../evaluation/index.ts'
import { type Refusal, type ResourceObject, type ResourceRef, refToText } from '../../model/index.ts'
import type { EngineParts } from '../engine-parts.ts'
import type { PlanUses } from './plan-uses.ts'

/** Implements the ports of applying with the store, the configured providers and the ledger of one plan. */
export class EstatePorts extends EstateReader implements ApplyPorts {
  readonly ledger: Ledger
  readonly #parts: EngineParts
  /** Absent when calls are only recovered. */
  readonly #uses: PlanUses | undefined
  readonly #cached = new Map<string, { readonly facts: ResourceObject; readonly until: number }>()

  constructor(parts: EngineParts, ledger: Ledger, uses?: PlanUses) {
    super(parts.kinds, parts.objects, parts.estate, parts.providers, parts.reader.hash)
    this.#parts = parts
    this.ledger = ledger
    this.#uses = uses
  }

  // Caches objects of batches briefly, so that they aren't read for each instance. A stale one is safe, because the commit of the intent
  // checks the object's revision.
  override async object(ref: ResourceRef): Promise<ResourceObject | undefined> {
    const text = refToText(ref)
    const now = this.#parts.clock.now()
    const cached = this.#cached.get(text)
    if (cached !== undefined && now < cached.until) return cached.facts
    const facts = await super.object(ref)
    if (facts !== undefined && repetitionOf(facts.spec) !== 'single')
      this.#cached.set(text, { facts, until: now + heldFor })
    return facts
  }

  async use(refs: readonly string[]): Promise<Claim | Refusal> {
    return this.#uses?.use(refs) ?? unclaimed
  }

  async destroy(ref: ResourceRef): Promise<Claim | Refusal> {
    return this.#uses?.destroy(ref) ?? unclaimed
  }

  isUnsent(error: unknown): boolean {
    return this.#parts.providers.isUnsent(error)
  }

  isFinished(error: unknown): boolean {
    return this.#parts.providers.isFinished(error)
  }

  describe(error: unknown): string {
    return this.#parts.providers.describe(error)
  }

  now(): string {
    return timeToText(this.#parts.clock.now())
  }
}

// Milliseconds.
const heldFor = 200

const unclaimed: Claim = { kind: 'claimed', end: () => {} }

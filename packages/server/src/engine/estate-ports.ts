import { timeToText } from '@hykube/machinery/object'
import type { ApplyPorts, Ledger } from '../apply/index.ts'
import { type NodeFacts, type NodePlace, nodeToText, repetitionOf } from '../plan/index.ts'
import type { EngineParts } from './engine-parts.ts'
import { EstateReader } from './estate-reader.ts'
import type { LaterUsers } from './later-users.ts'

/** What applying asks, answered from the store and by providers, with the ledger of one plan. */
export class EstatePorts extends EstateReader implements ApplyPorts {
  readonly ledger: Ledger
  readonly #parts: EngineParts
  /** Absent where calls are only recovered. */
  readonly #laterUsers: LaterUsers | undefined
  readonly #users = new Map<string, { readonly found: Promise<string | undefined>; readonly until: number }>()
  readonly #held = new Map<string, { readonly facts: NodeFacts; readonly until: number }>()

  constructor(parts: EngineParts, ledger: Ledger, laterUsers?: LaterUsers) {
    super(parts.kinds, parts.objects, parts.estate, parts.providers, parts.reader.hash)
    this.#parts = parts
    this.ledger = ledger
    this.#laterUsers = laterUsers
  }

  // The object of many instances is not read for each of them: an intent is refused anyway when it has moved.
  override async node(place: NodePlace): Promise<NodeFacts | undefined> {
    const text = nodeToText(place)
    const now = this.#parts.clock.now()
    const held = this.#held.get(text)
    if (held !== undefined && now < held.until) return held.facts
    const facts = await super.node(place)
    if (facts !== undefined && repetitionOf(facts.spec) !== 'single')
      this.#held.set(text, { facts, until: now + heldFor })
    return facts
  }

  // The edges of a batch are not read for each of its instances.
  async laterUser(place: NodePlace): Promise<string | undefined> {
    const text = nodeToText(place)
    const now = this.#parts.clock.now()
    const held = this.#users.get(text)
    if (held !== undefined && now < held.until) return held.found
    const found = this.#laterUsers?.of(place) ?? Promise.resolve(undefined)
    this.#users.set(text, { found, until: now + heldFor })
    return found
  }

  isUnsent(error: unknown): boolean {
    return this.#parts.providers.isUnsent(error)
  }

  isOver(error: unknown): boolean {
    return this.#parts.providers.isOver(error)
  }

  describe(error: unknown): string {
    return this.#parts.providers.describe(error)
  }

  now(): string {
    return timeToText(this.#parts.clock.now())
  }
}

const heldFor = 200

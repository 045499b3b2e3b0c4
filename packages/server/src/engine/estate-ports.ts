import { timeToText } from '@hykube/machinery/object'
import type { ApplyPorts, Ledger } from '../apply/index.ts'
import type { EngineParts } from './engine-parts.ts'
import { EstateReader } from './estate-reader.ts'

/** What applying asks, answered from the store and by providers, with the ledger of one plan. */
export class EstatePorts extends EstateReader implements ApplyPorts {
  readonly ledger: Ledger
  readonly #parts: EngineParts

  constructor(parts: EngineParts, ledger: Ledger) {
    super(parts.kinds, parts.objects, parts.estate, parts.providers)
    this.#parts = parts
    this.ledger = ledger
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

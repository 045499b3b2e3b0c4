import { BulkAllowance } from './bulk-allowance.ts'

/**
 * Shares the event loop among connections. It batches their writes per turn, bounds the bulk data sent per turn, and
 * under contention lets each connection read one chunk per turn. A server passes one scheduler to all its connections.
 */
export class ConnectionScheduler {
  /** True while several users compete for the event loop: every connection then reads and sends less per turn. */
  isContended = false
  /** Budget for queued DATA over all connections. */
  readonly bulk: BulkAllowance = new BulkAllowance(() => this.isContended)
  #unflushed: Flushable[] = []
  #readers: TurnReader[] = []

  /** Flushes the writer at the end of this turn, or earlier by {@link flush}. */
  flushLater(writer: Flushable): void {
    if (this.#unflushed.push(writer) === 1) setImmediate(this.flush)
  }

  /** Calls the reader at the start of the next turn. */
  readNextTurn(reader: TurnReader): void {
    if (this.#readers.push(reader) === 1) setImmediate(this.#readAll)
  }

  /** Flushes all writers now instead of at the end of this turn. */
  readonly flush = (): void => {
    const writers = this.#unflushed
    this.#unflushed = []
    for (const writer of writers) writer.flush()
  }

  readonly #readAll = (): void => {
    const readers = this.#readers
    this.#readers = []
    for (const reader of readers) reader.beginTurn()
  }
}

interface Flushable {
  flush(): void
}

interface TurnReader {
  beginTurn(): void
}

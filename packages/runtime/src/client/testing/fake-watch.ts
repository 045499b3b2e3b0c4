import { BoundedQueue, onAbort } from '@hykube/machinery/base'
import { StatusError, statusFrom } from '@hykube/machinery/status'
import type { FakeSelection } from './fake-selection.ts'
import { type FakeChange, type FakePlace, type FakeStore, isAt, isSelected } from './fake-store.ts'

/** The parameters of a watch. */
export interface FakeWatching {
  readonly at: Omit<FakePlace, 'name'>
  readonly selection: FakeSelection
  /** The revision to start after. Undefined: the current state is sent first. */
  readonly after: number | undefined
  /** Converts an object to the representation that the watcher requested. */
  readonly show: (object: object, cluster: string) => object
}

/** The response stream of a watch: past changes, then new ones, until the signal aborts or `end` is called. */
export class FakeWatch implements AsyncIterable<Uint8Array> {
  readonly #queue = new BoundedQueue<Uint8Array>(Number.POSITIVE_INFINITY)
  readonly #watching: FakeWatching
  readonly #release: () => void

  constructor(store: FakeStore, watching: FakeWatching, signal: AbortSignal | undefined) {
    this.#watching = watching
    this.#begin(store)
    const unlisten = store.listen((change) => this.#send(change))
    const unsignal = onAbort(signal, () => this.end())
    this.#release = () => {
      unlisten()
      unsignal()
    }
  }

  /** Ends the stream, like a server when the timeout of a watch has elapsed. */
  end(): void {
    this.#release?.()
    this.#queue.close()
  }

  bookmark(revision: number): void {
    this.#write('BOOKMARK', { metadata: { resourceVersion: String(revision) } })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#queue
    } finally {
      this.end()
    }
  }

  // Sends the events that precede the live ones. A compacted start revision is sent as an ERROR event.
  #begin(store: FakeStore): void {
    const { at, selection, after, show } = this.#watching
    try {
      if (after !== undefined) for (const change of store.changesAfter(after)) this.#send(change)
      else
        for (const { object, place } of store.select(at, selection)) this.#write('ADDED', show(object, place.cluster))
    } catch (error) {
      this.#write('ERROR', statusFrom(StatusError.from(error)))
      this.#queue.close()
    }
  }

  #send({ place, before, after, final }: FakeChange): void {
    const { at, selection, show } = this.#watching
    if (!isAt(place, at)) return
    const matched = before !== undefined && isSelected(before, selection)
    const matches = after !== undefined && isSelected(after, selection)
    if (matches) this.#write(matched ? 'MODIFIED' : 'ADDED', show(after, place.cluster))
    else if (matched) this.#write('DELETED', show(final ?? before, place.cluster))
  }

  #write(type: string, object: object): void {
    this.#queue.offer(new TextEncoder().encode(`${JSON.stringify({ type, object })}\n`))
  }
}

import { BoundedQueue, onAbort } from '@hykube/machinery/base'
import { StatusError, statusFrom } from '@hykube/machinery/status'
import type { FakeSelection } from './fake-selection.ts'
import { type FakeChange, type FakePlace, type FakeStore, isAt, isSelected } from './fake-store.ts'

/** What a watch of the fake is about. */
export interface FakeWatching {
  readonly at: Omit<FakePlace, 'name'>
  readonly selection: FakeSelection
  /** Undefined: the present state comes first. */
  readonly after: number | undefined
  /** An object as the watcher sees it. */
  readonly show: (object: object, cluster: string) => object
}

/** The stream of a watch: what has happened since, then what happens, until the signal aborts or `end` is called. */
export class FakeWatch implements AsyncIterable<Uint8Array> {
  readonly #queue = new BoundedQueue<Uint8Array>(Number.POSITIVE_INFINITY)
  readonly #watching: FakeWatching
  readonly #release: () => void

  constructor(store: FakeStore, watching: FakeWatching, signal: AbortSignal | undefined) {
    this.#watching = watching
    this.#begin(store)
    const unlisten = store.listen((change) => this.#tell(change))
    const unsignal = onAbort(signal, () => this.end())
    this.#release = () => {
      unlisten()
      unsignal()
    }
  }

  /** Ends the stream as a server does when its time is over. */
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

  #begin(store: FakeStore): void {
    const { at, selection, after, show } = this.#watching
    try {
      if (after !== undefined) for (const change of store.changesAfter(after)) this.#tell(change)
      else
        for (const { object, place } of store.select(at, selection)) this.#write('ADDED', show(object, place.cluster))
    } catch (error) {
      this.#write('ERROR', statusFrom(StatusError.from(error)))
      this.#queue.close()
    }
  }

  #tell({ place, before, after, final }: FakeChange): void {
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

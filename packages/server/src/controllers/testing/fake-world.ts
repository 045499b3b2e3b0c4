import { BoundedQueue, type Clock, onAbort, systemClock } from '@hykube/machinery/base'
import { foregroundFinalizer, orphanFinalizer } from '@hykube/machinery/object'
import { FakeApi, type FakeApiOptions, type FakeObject, type FakePlace } from '@hykube/runtime/testing'
import type { ControllerContext } from '../context.ts'
import type { GarbageCollectionPorts } from '../garbage-collection/controller.ts'
import { type OwnershipChange, ownershipChangeFrom } from '../garbage-collection/ports.ts'

/** An in-memory API with the ports that controllers need, and a log that tests can read. */
export class FakeWorld {
  readonly api: FakeApi
  readonly errors: string[] = []
  readonly stop = new AbortController()
  readonly context: ControllerContext
  readonly garbageCollection: GarbageCollectionPorts

  constructor(options: FakeApiOptions & { readonly clock?: Clock } = {}) {
    this.api = new FakeApi(options)
    const { clock = systemClock } = options
    const log = (message: string, facts: object = {}) => void this.errors.push(`${message} ${JSON.stringify(facts)}`)
    this.context = {
      clientFor: (cluster) => this.api.client(cluster),
      clock,
      logger: { error: log, debug: () => {} },
    }
    const { store } = this.api
    this.garbageCollection = {
      index: {
        dependentsOf: async (cluster, uid) => [...store.dependentsOf(cluster, uid), ...this.#marked(cluster, uid)],
        owners: () => this.#owners(),
      },
      feed: (signal) => this.#feed(signal),
    }
  }

  async *#owners(): AsyncGenerator<{ cluster: string; uid: string }> {
    for (const { place, object } of this.api.store.all()) {
      for (const { uid } of object.metadata.ownerReferences ?? []) yield { cluster: place.cluster, uid }
      if (isMarked(object)) yield { cluster: place.cluster, uid: object.metadata.uid ?? '' }
    }
  }

  #marked(cluster: string, uid: string): FakePlace[] {
    return [...this.api.store.all()]
      .filter(({ place, object }) => place.cluster === cluster && object.metadata.uid === uid && isMarked(object))
      .map(({ place }) => place)
  }

  #feed(signal: AbortSignal): AsyncIterable<OwnershipChange> {
    const queue = new BoundedQueue<OwnershipChange>(Number.POSITIVE_INFINITY)
    const unlisten = this.api.store.listen(({ place, after, final }) => {
      const change = ownershipChangeFrom(place, after ?? final ?? {}, after === undefined)
      if (change !== undefined) queue.offer(change)
    })
    onAbort(signal, () => {
      unlisten()
      queue.close()
    })
    return queue
  }
}

function isMarked({ metadata }: FakeObject): boolean {
  const finalizers = metadata.finalizers ?? []
  return (
    metadata.deletionTimestamp != null &&
    [foregroundFinalizer, orphanFinalizer].some((each) => finalizers.includes(each))
  )
}

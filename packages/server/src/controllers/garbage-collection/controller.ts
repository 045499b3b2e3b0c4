import { isAbortError } from '@hykube/machinery/base'
import { runController, WorkQueue } from '@hykube/runtime/controller'
import type { ControllerContext } from '../context.ts'
import { DiscoveredResources } from '../discovered-resources.ts'
import type { Dependent, OwnerIndex, OwnershipChange, OwnershipFeed } from './ports.ts'
import { RecentMap } from './recent.ts'
import { Collector } from './reconcile.ts'

/** Dependencies that the composition root provides. */
export interface GarbageCollectionPorts {
  readonly index: OwnerIndex
  readonly feed: OwnershipFeed
}

/** Garbage collection for all logical clusters. It reads only objects that the owner index and the change feed name. */
export async function runGarbageCollectionController(
  context: ControllerContext,
  ports: GarbageCollectionPorts,
  signal: AbortSignal,
): Promise<void> {
  const { clientFor, clock, logger } = context
  const queue = new WorkQueue({ clock, initialRetry: 20, maximumRetry: 10_000 })
  const marks = new ChangeQueue(queue)
  const collector = new Collector({
    clientFor,
    resources: new DiscoveredResources(clientFor, clock),
    index: ports.index,
    onWaiting: (uid, owner) => marks.wait(uid, owner),
  })
  const reconcile = (key: string) => reconcileMark(collector, key, signal)
  const failed = (what: string) => (error: unknown) => {
    if (!signal.aborted && !isAbortError(error))
      logger.error(what, { controller: 'garbage-collection', error: String(error) })
  }
  await Promise.all([
    runController({ name: 'garbage-collection', queue, reconcile, workers: 8, logger }, signal),
    followChanges(ports.feed(signal), marks).catch(failed('garbage collection has lost the change feed')),
    enqueueAllOwners(ports.index, queue, signal).catch(failed('cannot check the owners that existed before the start')),
  ])
}

async function followChanges(feed: AsyncIterable<OwnershipChange>, marks: ChangeQueue): Promise<void> {
  for await (const change of feed) marks.take(change)
}

// After a start every owner is checked once, because owners may have been deleted while no server ran.
async function enqueueAllOwners(index: OwnerIndex, queue: WorkQueue, signal: AbortSignal): Promise<void> {
  for await (const { cluster, uid } of index.owners()) {
    if (signal.aborted) return
    queue.add(['owner', cluster, uid].join('/'))
  }
}

/** Translates changes to work queue keys. */
class ChangeQueue {
  readonly #queue: WorkQueue
  /** Owners that wait for dependents, by uid. An evicted one is still examined, only later. */
  readonly #waiting = new RecentMap<string>(10_000)
  /** Owners of an object when it was last examined: only a change of owners or of its deletion needs another look. */
  readonly #examined = new RecentMap<string>(10_000)

  constructor(queue: WorkQueue) {
    this.#queue = queue
  }

  wait(uid: string, owner: Dependent & { readonly cluster: string }): void {
    this.#waiting.set(uid, objectMark(owner))
  }

  take(change: OwnershipChange): void {
    if (change.gone) {
      this.#gone(change)
      return
    }
    const owners = `${change.deleting} ${change.owners.map(({ uid }) => uid).join()}`
    if (this.#examined.get(change.uid) === owners && !change.deleting) return
    this.#examined.set(change.uid, owners)
    this.#queue.add(objectMark(change))
  }

  // Queue keys: `gone` collects the dependents of a removed owner; a waiting owner is examined again when a dependent
  // is removed.
  #gone({ cluster, uid, owners }: OwnershipChange): void {
    this.#examined.delete(uid)
    this.#waiting.delete(uid)
    this.#queue.add(['gone', cluster, uid].join('/'))
    for (const owner of owners) {
      const waiting = this.#waiting.get(owner.uid)
      if (waiting !== undefined) this.#queue.add(waiting)
    }
  }
}

function objectMark({ cluster, group, resource, namespace, name }: Dependent & { readonly cluster: string }): string {
  return ['object', cluster, group, resource, namespace, name].join('/')
}

async function reconcileMark(collector: Collector, mark: string, signal: AbortSignal) {
  const [kind, cluster = '', ...rest] = mark.split('/')
  const [first = '', resource = '', namespace = '', name = ''] = rest
  // A reference may contain any text as uid, including slashes.
  const uid = rest.join('/')
  if (kind === 'owner') return collector.examineOwner(cluster, uid, signal)
  if (kind === 'object') return collector.examine(cluster, { group: first, resource, namespace, name }, signal)
  await collector.collectDependents(cluster, uid, signal)
  return undefined
}

import { runController, WorkQueue } from '@hykube/runtime/controller'
import { refFromKey, refToKey } from '@hykube/runtime/informer'
import type { ControllerContext } from '../context.ts'
import type { Namespaces } from '../namespaces.ts'
import type { ContentIndex } from './content.ts'
import { reconcileNamespace } from './reconcile.ts'

/** Deletes the content of terminating namespaces and removes their finalizer. */
export async function runNamespaceController(
  context: ControllerContext,
  namespaces: Namespaces,
  content: ContentIndex | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { clientFor, clock, logger } = context
  const queue = new WorkQueue({ clock, initialRetry: 50, maximumRetry: 10_000 })
  const unlisten = namespaces.on(({ ref, value }) => {
    if (value === 'terminating') queue.add(refToKey(ref))
  })
  const reconcile = (key: string) => {
    const { cluster, name } = refFromKey(key)
    return reconcileNamespace({ client: clientFor(cluster), cluster, clock, content }, name, signal)
  }
  await runController({ name: 'namespace', queue, reconcile, workers: 4, logger }, signal)
  unlisten()
}

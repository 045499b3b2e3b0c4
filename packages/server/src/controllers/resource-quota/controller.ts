import { runController, WorkQueue } from '@hykube/runtime/controller'
import { Informer } from '@hykube/runtime/informer'
import { type ControllerContext, coreResource, watchFailure } from '../context.ts'
import type { QuotaPorts } from './ports.ts'
import { recountQuotas } from './reconcile.ts'

/** Milliseconds between a deletion and the recount of its namespace, so that many deletions lead to one recount. */
const recountDelay = 50

/** Milliseconds after which every namespace with quotas is recounted, in case a change was missed. */
const recountEvery = 5 * 60_000

/** Recalculates the usage of quotas: when a quota changes, and after counted objects are deleted. */
export async function runResourceQuotaController(
  context: ControllerContext,
  ports: QuotaPorts,
  signal: AbortSignal,
): Promise<void> {
  const { clientFor, clock, logger } = context
  const queue = new WorkQueue({ clock, initialRetry: 20, maximumRetry: 10_000 })
  const quotas = new Informer<string>({
    client: clientFor('*'),
    at: coreResource('resourcequotas'),
    // The status changes with every counted object; only changes of the spec matter.
    keep: ({ spec }) => JSON.stringify(spec ?? {}),
    clock,
    onFailure: watchFailure(context, 'resource-quota'),
  })
  quotas.on(({ ref, value, previous }) => {
    if (value !== undefined && value !== previous) queue.add(keyOf(ref))
  })
  const reconcile = async (key: string) => {
    const [cluster = '', namespace = ''] = key.split('/')
    const result = await recountQuotas(clientFor(cluster), ports, cluster, namespace, signal)
    return result ?? { kind: 'after' as const, milliseconds: recountEvery }
  }
  const follow = async () => {
    for await (const place of ports.feed(signal)) queue.addAfter(keyOf(place), recountDelay)
  }
  const controller = { name: 'resource-quota', queue, reconcile, workers: 2, logger }
  await Promise.all([runController(controller, signal), quotas.run(signal), follow()])
}

function keyOf({ cluster, namespace }: { readonly cluster: string; readonly namespace: string }): string {
  return `${cluster}/${namespace}`
}

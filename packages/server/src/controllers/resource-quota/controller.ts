import { runController, WorkQueue } from '@hykube/runtime/controller'
import { Informer } from '@hykube/runtime/informer'
import { type ControllerContext, coreResource, watchFailure } from '../context.ts'
import type { QuotaPorts } from './ports.ts'
import { recountQuotas } from './reconcile.ts'

/** What goes together is counted together: a namespace is counted this long after something went, in milliseconds. */
const gathering = 50

/** Every namespace with quotas is counted again now and then, should a word have been missed. */
const recountEvery = 5 * 60_000

/** Counts what quotas count: for a new quota at once, and again when something goes. */
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
    // Its status moves with every object that is stored; only what it asks for is news.
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
    for await (const place of ports.feed(signal)) queue.addAfter(keyOf(place), gathering)
  }
  const controller = { name: 'resource-quota', queue, reconcile, workers: 2, logger }
  await Promise.all([runController(controller, signal), quotas.run(signal), follow()])
}

function keyOf({ cluster, namespace }: { readonly cluster: string; readonly namespace: string }): string {
  return `${cluster}/${namespace}`
}

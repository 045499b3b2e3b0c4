import { runController, WorkQueue } from '@hykube/runtime/controller'
import { Informer } from '@hykube/runtime/informer'
import { type ControllerContext, watchFailure } from '../context.ts'
import { type AggregatedRules, aggregateClusterRoles, clusterRoles } from './reconcile.ts'

/**
 * Keeps aggregated ClusterRoles up to date in every logical cluster. It caches no roles: a change only enqueues its
 * cluster.
 */
export async function runClusterRoleAggregationController(
  context: ControllerContext,
  aggregatedRules: AggregatedRules,
  signal: AbortSignal,
): Promise<void> {
  const { clientFor, clock, logger } = context
  const queue = new WorkQueue({ clock })
  const roles = new Informer<never>({
    client: clientFor('*'),
    at: clusterRoles,
    form: 'metadata',
    keep: () => undefined,
    clock,
    onFailure: watchFailure(context, 'cluster-role-aggregation'),
  })
  roles.on(({ ref }) => queue.add(ref.cluster))
  const reconcile = async (cluster: string) => {
    await aggregateClusterRoles(clientFor(cluster), aggregatedRules, signal)
    return undefined
  }
  const controller = { name: 'cluster-role-aggregation', queue, reconcile, logger }
  await Promise.all([runController(controller, signal), roles.run(signal)])
}

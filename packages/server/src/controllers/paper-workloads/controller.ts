// Simulated workloads: there are no kubelets, so this controller sets the statuses that a cluster would report.
import { controllerOf } from '@hykube/machinery/object'
import { runController, WorkQueue } from '@hykube/runtime/controller'
import { Informer, type InformerEvent, refFromKey, refToKey } from '@hykube/runtime/informer'
import { type ControllerContext, watchFailure } from '../context.ts'
import { runningStatuses } from './paper-status.ts'
import { deployments, needsWork, reconcileWorkload } from './reconcile.ts'
import { waitingStatuses } from './waiting-status.ts'
import type { PaperStatuses, Workload } from './workload.ts'

/** `running`: workloads report as if their pods ran. `waiting`: as if no node had accepted them. */
export type PaperWorkloads = 'running' | 'waiting'

/** Sets the status of workloads in all logical clusters. It caches no workloads. */
export async function runPaperWorkloadsController(
  context: ControllerContext,
  how: PaperWorkloads,
  signal: AbortSignal,
): Promise<void> {
  const statuses = how === 'running' ? runningStatuses : waitingStatuses
  const { clientFor, clock, logger } = context
  const queue = new WorkQueue({ clock })
  const informers = workloads.map((at) => {
    const options = {
      client: clientFor('*'),
      at,
      keep: () => undefined,
      clock,
      onFailure: watchFailure(context, 'paper-workloads'),
    }
    const informer = new Informer<never, Workload>(options)
    informer.on((event) => {
      for (const mark of marksOf(statuses, at, event, clock.now())) queue.add(mark)
    })
    return informer
  })
  const reconcile = async (mark: string) => {
    const [index = '', key = ''] = mark.split(' ')
    const { cluster, namespace, name } = refFromKey(key)
    const at = { ...workloads[Number(index)]!, namespace, name }
    await reconcileWorkload(clientFor(cluster), clock, statuses, at, signal)
    return undefined
  }
  await Promise.all([
    runController({ name: 'paper-workloads', queue, reconcile, workers: 4, logger }, signal),
    ...informers.map((informer) => informer.run(signal)),
  ])
}

const replicaSets = { group: 'apps', version: 'v1', resource: 'replicasets' } as const
const statefulSets = { group: 'apps', version: 'v1', resource: 'statefulsets' } as const
const replicationControllers = { group: '', version: 'v1', resource: 'replicationcontrollers' } as const

const workloads = [
  deployments,
  replicaSets,
  statefulSets,
  { group: 'apps', version: 'v1', resource: 'daemonsets' },
  { group: 'batch', version: 'v1', resource: 'jobs' },
  { group: '', version: 'v1', resource: 'pods' },
  { group: '', version: 'v1', resource: 'persistentvolumeclaims' },
  { group: '', version: 'v1', resource: 'services' },
  replicationControllers,
  { group: '', version: 'v1', resource: 'nodes' },
] as const

type WorkloadResource = (typeof workloads)[number]

// A deleted object also concerns the workload that created it.
function marksOf(
  statuses: PaperStatuses,
  at: WorkloadResource,
  { kind, ref, object }: InformerEvent<never, Workload>,
  now: number,
): string[] {
  if (object === undefined) return []
  const marks = kind !== 'deleted' && needsWork(statuses, at, object, now) ? [markOf(at, refToKey(ref))] : []
  const owner = kind === 'deleted' ? controllerOf(object.metadata) : undefined
  const maker = owner === undefined ? undefined : makers.get(`${owner.kind} of ${at.resource}`)
  if (owner !== undefined && maker !== undefined) marks.push(markOf(maker, refToKey({ ...ref, name: owner.name })))
  return marks
}

const makers: ReadonlyMap<string, WorkloadResource> = new Map<string, WorkloadResource>([
  ['Deployment of replicasets', deployments],
  ['ReplicaSet of pods', replicaSets],
  ['StatefulSet of pods', statefulSets],
  ['ReplicationController of pods', replicationControllers],
])

function markOf(at: WorkloadResource, key: string): string {
  return `${workloads.indexOf(at)} ${key}`
}

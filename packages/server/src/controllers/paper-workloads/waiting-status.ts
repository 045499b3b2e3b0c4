import { timeToText } from '@hykube/machinery/amounts'
import { hasCondition } from '@hykube/machinery/object'
import { unreportedNodeStatus } from './node-status.ts'
import { daemonSetStatus, deploymentStatus, replicaSetStatus, statefulSetStatus } from './replica-status.ts'
import {
  conditionsWith,
  countOf,
  type PaperStatuses,
  replicasOf,
  type StatusFields,
  type Workload,
} from './workload.ts'

const waitingByResource: PaperStatuses['byResource'] = new Map([
  ['apps/replicasets', waitingReplicaSet],
  ['/replicationcontrollers', waitingReplicaSet],
  ['apps/statefulsets', waitingStatefulSet],
  ['apps/daemonsets', waitingDaemonSet],
  ['batch/jobs', waitingJob],
  ['/nodes', unreportedNodeStatus],
])

/** Statuses of workloads whose pods no node has accepted, as in a cluster without kubelets. */
export const waitingStatuses: PaperStatuses = {
  byResource: waitingByResource,
  deployment: waitingDeployment,
  pods: true,
}

function waitingDeployment(
  deployment: Workload,
  now: number,
  rollout: Parameters<PaperStatuses['deployment']>[2],
): StatusFields {
  const replicas = countOf(replicasOf(deployment))
  const running = deploymentStatus(deployment, now, rollout)
  if (replicas === null) return running
  const lastUpdateTime = timeToText(now)
  const unavailable = {
    type: 'Available',
    status: 'False',
    reason: 'MinimumReplicasUnavailable',
    message: 'Deployment does not have minimum availability.',
    lastUpdateTime,
  } as const
  const progressing = deployment.spec?.paused
    ? ({ status: 'Unknown', reason: 'DeploymentPaused', message: 'Deployment is paused' } as const)
    : ({
        status: 'True',
        reason: 'ReplicaSetUpdated',
        message: `ReplicaSet "${rollout.current}" is progressing.`,
      } as const)
  return {
    ...running,
    readyReplicas: null,
    availableReplicas: null,
    unavailableReplicas: replicas,
    conditions: conditionsWith(deployment, now, unavailable, { type: 'Progressing', ...progressing, lastUpdateTime }),
  }
}

function waitingReplicaSet(workload: Workload): StatusFields {
  return { ...replicaSetStatus(workload), readyReplicas: null, availableReplicas: null }
}

function waitingStatefulSet(workload: Workload): StatusFields {
  return { ...statefulSetStatus(workload), readyReplicas: null, availableReplicas: 0 }
}

function waitingDaemonSet(workload: Workload): StatusFields {
  return { ...daemonSetStatus(workload), numberReady: 0, numberAvailable: null, numberUnavailable: 1 }
}

function waitingJob(job: Workload, now: number): StatusFields | undefined {
  const { spec, status } = job
  if (spec?.suspend || hasCondition(status?.conditions, 'Complete') || hasCondition(status?.conditions, 'Failed'))
    return undefined
  return { startTime: status?.startTime ?? timeToText(now), active: spec?.parallelism ?? 1, ready: 0, terminating: 0 }
}

import { timeToText } from '@hykube/machinery/amounts'
import { templateHash } from './template-hash.ts'
import { conditionsWith, countOf, type RolloutState, replicasOf, type StatusFields, type Workload } from './workload.ts'

/**
 * Status of a Deployment whose pods are all running: in the current ReplicaSet, or, when not rolled out, in older ones.
 */
export function deploymentStatus(
  deployment: Workload,
  now: number,
  { current, rolledOut }: RolloutState,
): StatusFields {
  const replicas = countOf(replicasOf(deployment))
  const { generation } = deployment.metadata ?? {}
  const lastUpdateTime = timeToText(now)
  const available = {
    type: 'Available',
    status: 'True',
    reason: 'MinimumReplicasAvailable',
    message: 'Deployment has minimum availability.',
    lastUpdateTime,
  } as const
  const progressing = deployment.spec?.paused
    ? ({ status: 'Unknown', reason: 'DeploymentPaused', message: 'Deployment is paused' } as const)
    : ({
        status: 'True',
        reason: 'NewReplicaSetAvailable',
        message: `ReplicaSet "${current}" has successfully progressed.`,
      } as const)
  return {
    observedGeneration: generation,
    replicas,
    updatedReplicas: rolledOut ? replicas : null,
    readyReplicas: replicas,
    availableReplicas: replicas,
    unavailableReplicas: null,
    conditions: conditionsWith(deployment, now, available, { type: 'Progressing', ...progressing, lastUpdateTime }),
  }
}

/** Status of a ReplicaSet or ReplicationController whose pods are all running. */
export function replicaSetStatus(workload: Workload): StatusFields {
  const replicas = replicasOf(workload)
  return {
    observedGeneration: workload.metadata?.generation,
    replicas,
    fullyLabeledReplicas: countOf(replicas),
    readyReplicas: countOf(replicas),
    availableReplicas: countOf(replicas),
  }
}

/** Status of a StatefulSet whose pods are all running the newest revision. */
export function statefulSetStatus(workload: Workload): StatusFields {
  const replicas = replicasOf(workload)
  const { name = '', generation } = workload.metadata ?? {}
  const revision = `${name}-${templateHash(workload.spec?.template)}`
  return {
    observedGeneration: generation,
    replicas,
    readyReplicas: countOf(replicas),
    currentReplicas: countOf(replicas),
    updatedReplicas: countOf(replicas),
    availableReplicas: replicas,
    currentRevision: revision,
    updateRevision: revision,
    collisionCount: 0,
  }
}

/** Status of a DaemonSet with its pod running on the single simulated node. */
export function daemonSetStatus({ metadata }: Workload): StatusFields {
  return {
    observedGeneration: metadata?.generation,
    currentNumberScheduled: 1,
    desiredNumberScheduled: 1,
    numberMisscheduled: 0,
    numberReady: 1,
    updatedNumberScheduled: 1,
    numberAvailable: 1,
    numberUnavailable: null,
  }
}

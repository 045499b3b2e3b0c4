import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import { jobStatus } from './job-status.ts'
import { readyNodeStatus } from './node-status.ts'
import { localAddress, podStatus } from './pod-status.ts'
import { daemonSetStatus, deploymentStatus, replicaSetStatus, statefulSetStatus } from './replica-status.ts'
import type { PaperStatuses, StatusFields, Workload } from './workload.ts'

const runningByResource: PaperStatuses['byResource'] = new Map([
  ['apps/replicasets', replicaSetStatus],
  ['/replicationcontrollers', replicaSetStatus],
  ['apps/statefulsets', statefulSetStatus],
  ['apps/daemonsets', daemonSetStatus],
  ['batch/jobs', jobStatus],
  ['/pods', podStatus],
  ['/persistentvolumeclaims', claimStatus],
  ['/services', serviceStatus],
  ['/nodes', readyNodeStatus],
])

/** Statuses of workloads whose pods are all running. */
export const runningStatuses: PaperStatuses = {
  byResource: runningByResource,
  deployment: deploymentStatus,
  pods: false,
}

/** Returns the merge patch that sets the status fields; undefined when they are already set. */
export function statusPatch({ status = {} }: Workload, fields: StatusFields | undefined): StatusFields | undefined {
  const changed = Object.entries(fields ?? {}).filter(
    ([name, value]) => value !== undefined && !jsonEquals((status[name] ?? null) as JsonValue, value as JsonValue),
  )
  return changed.length === 0 ? undefined : Object.fromEntries(changed)
}

function claimStatus({ spec, status }: Workload): StatusFields | undefined {
  if (status?.phase === 'Bound') return undefined
  return { phase: 'Bound', accessModes: spec?.accessModes, capacity: spec?.resources?.requests }
}

function serviceStatus({ spec, status }: Workload): StatusFields | undefined {
  const { ingress = [] } = (status?.loadBalancer ?? {}) as { ingress?: readonly { ip?: string }[] }
  if (spec?.type === 'LoadBalancer')
    return ingress.length > 0 ? undefined : { loadBalancer: { ingress: [{ ip: localAddress, ipMode: 'VIP' }] } }
  // Only an address that this controller assigned is removed.
  return ingress.length === 1 && ingress[0]?.ip === localAddress ? { loadBalancer: { ingress: null } } : undefined
}

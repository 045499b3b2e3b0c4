import { copyJson, type Draft, ensure, fill, fillText, has, inside, items } from '../draft.ts'
import { defaultTemplate } from './pod-defaults.ts'
import { defaultClaim } from './storage-defaults.ts'

export function defaultDeployment(object: Draft): void {
  const spec = ensure(object, 'spec')
  fill(spec, 'replicas', 1)
  fill(spec, 'revisionHistoryLimit', 10)
  fill(spec, 'progressDeadlineSeconds', 600)
  const strategy = ensure(spec, 'strategy')
  fillText(strategy, 'type', 'RollingUpdate')
  if (strategy.type === 'RollingUpdate') {
    const rolling = ensure(strategy, 'rollingUpdate')
    fill(rolling, 'maxUnavailable', '25%')
    fill(rolling, 'maxSurge', '25%')
  }
  defaultTemplate(spec)
}

export function defaultReplicaSet(object: Draft): void {
  const spec = ensure(object, 'spec')
  fill(spec, 'replicas', 1)
  defaultTemplate(spec)
}

export function defaultReplicationController(object: Draft): void {
  const spec = ensure(object, 'spec')
  fill(spec, 'replicas', 1)
  const labels = inside(spec, 'template', 'metadata', 'labels')
  if (Object.keys(labels).length > 0) {
    if (Object.keys(inside(spec, 'selector')).length === 0) spec.selector = copyJson(labels)
    const metadata = ensure(object, 'metadata')
    if (Object.keys(inside(metadata, 'labels')).length === 0) metadata.labels = copyJson(labels)
  }
  defaultTemplate(spec)
}

export function defaultDaemonSet(object: Draft): void {
  const spec = ensure(object, 'spec')
  fill(spec, 'revisionHistoryLimit', 10)
  const strategy = ensure(spec, 'updateStrategy')
  fillText(strategy, 'type', 'RollingUpdate')
  if (strategy.type === 'RollingUpdate') {
    const rolling = ensure(strategy, 'rollingUpdate')
    fill(rolling, 'maxUnavailable', 1)
    fill(rolling, 'maxSurge', 0)
  }
  defaultTemplate(spec)
}

export function defaultStatefulSet(object: Draft): void {
  const spec = ensure(object, 'spec')
  fill(spec, 'replicas', 1)
  fill(spec, 'revisionHistoryLimit', 10)
  fillText(spec, 'podManagementPolicy', 'OrderedReady')
  const strategy = ensure(spec, 'updateStrategy')
  fillText(strategy, 'type', 'RollingUpdate')
  if (strategy.type === 'RollingUpdate') fill(ensure(strategy, 'rollingUpdate'), 'partition', 0)
  const retention = ensure(spec, 'persistentVolumeClaimRetentionPolicy')
  fillText(retention, 'whenDeleted', 'Retain')
  fillText(retention, 'whenScaled', 'Retain')
  for (const claim of items(spec, 'volumeClaimTemplates')) {
    fillText(claim, 'apiVersion', 'v1')
    fillText(claim, 'kind', 'PersistentVolumeClaim')
    defaultClaim(claim)
  }
  defaultTemplate(spec)
}

export function defaultJob(object: Draft): void {
  const spec = ensure(object, 'spec')
  defaultJobSpec(spec)
  const metadata = ensure(object, 'metadata')
  const labels = inside(spec, 'template', 'metadata', 'labels')
  if (!has(metadata, 'labels') && Object.keys(labels).length > 0) metadata.labels = copyJson(labels)
}

export function defaultCronJob(object: Draft): void {
  const spec = ensure(object, 'spec')
  fillText(spec, 'concurrencyPolicy', 'Allow')
  fill(spec, 'suspend', false)
  fill(spec, 'successfulJobsHistoryLimit', 3)
  fill(spec, 'failedJobsHistoryLimit', 1)
  if (has(inside(spec, 'jobTemplate'), 'spec')) defaultTemplate(inside(spec, 'jobTemplate', 'spec'))
}

export function defaultAutoscaler(object: Draft): void {
  const spec = ensure(object, 'spec')
  fill(spec, 'minReplicas', 1)
  if (object.apiVersion !== 'autoscaling/v2' || items(spec, 'metrics').length > 0) return
  const target = { averageUtilization: 80, type: 'Utilization' }
  spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }]
}

function defaultJobSpec(spec: Draft): void {
  if (!has(spec, 'completions') && !has(spec, 'parallelism')) spec.completions = 1
  fill(spec, 'parallelism', 1)
  if (!has(spec, 'backoffLimit')) spec.backoffLimit = has(spec, 'backoffLimitPerIndex') ? 2147483647 : 6
  fill(spec, 'completionMode', 'NonIndexed')
  fill(spec, 'suspend', false)
  fill(spec, 'podReplacementPolicy', has(spec, 'podFailurePolicy') ? 'Failed' : 'TerminatingOrFailed')
  defaultTemplate(spec)
}

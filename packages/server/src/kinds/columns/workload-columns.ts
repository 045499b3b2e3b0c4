import { humanDuration } from '@hykube/machinery/amounts'
import type { JsonObject } from '@hykube/machinery/json'
import { inside, items } from '../draft.ts'
import { age, type Column, count, field, joined, selectorText, since, text, valueAt } from './column.ts'

const containers = text('Containers', (object) => templateParts(object, 'name'), true)
const images = text('Images', (object) => templateParts(object, 'image'), true)
const selector = text('Selector', (object) => selectorText(inside(object, 'spec', 'selector')), true)

/** Columns of workload kinds. */
export const workloadColumns: Readonly<Record<string, readonly Column[]>> = {
  Deployment: [
    text('Ready', (object) => `${number(object, 'status.readyReplicas')}/${number(object, 'spec.replicas')}`),
    count('Up-to-date', 'status.updatedReplicas'),
    count('Available', 'status.availableReplicas'),
    age,
    containers,
    images,
    selector,
  ],
  ReplicaSet: [
    count('Desired', 'spec.replicas'),
    count('Current', 'status.replicas'),
    count('Ready', 'status.readyReplicas'),
    age,
    containers,
    images,
    selector,
  ],
  ReplicationController: [
    count('Desired', 'spec.replicas'),
    count('Current', 'status.replicas'),
    count('Ready', 'status.readyReplicas'),
    age,
    containers,
    images,
    selector,
  ],
  StatefulSet: [
    text('Ready', (object) => `${number(object, 'status.readyReplicas')}/${number(object, 'spec.replicas')}`),
    age,
    containers,
    images,
  ],
  DaemonSet: [
    count('Desired', 'status.desiredNumberScheduled'),
    count('Current', 'status.currentNumberScheduled'),
    count('Ready', 'status.numberReady'),
    count('Up-to-date', 'status.updatedNumberScheduled'),
    count('Available', 'status.numberAvailable'),
    text('Node Selector', (object) => selectorText(inside(object, 'spec', 'template', 'spec', 'nodeSelector'))),
    age,
    containers,
    images,
    selector,
  ],
  Job: [
    text('Status', jobStatus),
    text('Completions', (object) => `${number(object, 'status.succeeded')}/${jobGoal(object)}`),
    { name: 'Duration', cell: jobDuration },
    age,
    containers,
    images,
    selector,
  ],
  CronJob: [
    field('Schedule', 'spec.schedule'),
    field('Timezone', 'spec.timeZone', '<none>'),
    text('Suspend', (object) => (valueAt(object, 'spec.suspend') === true ? 'True' : 'False')),
    text('Active', (object) => items(object, 'status', 'active').length),
    since('Last Schedule', 'status.lastScheduleTime', '<none>'),
    age,
    text('Containers', (object) => templateParts(inside(object, 'spec', 'jobTemplate'), 'name'), true),
    text('Images', (object) => templateParts(inside(object, 'spec', 'jobTemplate'), 'image'), true),
    text('Selector', (object) => selectorText(inside(object, 'spec', 'jobTemplate', 'spec', 'selector')), true),
  ],
  ControllerRevision: [text('Controller', controllerName), count('Revision', 'revision'), age],
  HorizontalPodAutoscaler: [
    text('Reference', (object) => {
      const target = inside(object, 'spec', 'scaleTargetRef')
      return `${String(target.kind ?? '')}/${String(target.name ?? '')}`
    }),
    text('Targets', (object) => (items(object, 'spec', 'metrics').length === 0 ? '<none>' : autoscalerTargets(object))),
    text('MinPods', (object) => String(valueAt(object, 'spec.minReplicas') ?? '<unset>')),
    count('MaxPods', 'spec.maxReplicas'),
    count('Replicas', 'status.currentReplicas'),
    age,
  ],
  PodDisruptionBudget: [
    text('Min Available', (object) => valueAt(object, 'spec.minAvailable') ?? 'N/A'),
    text('Max Unavailable', (object) => valueAt(object, 'spec.maxUnavailable') ?? 'N/A'),
    count('Allowed Disruptions', 'status.disruptionsAllowed'),
    age,
  ],
}

function number(object: JsonObject, path: string): number {
  return Number(valueAt(object, path) ?? 0)
}

function templateParts(object: JsonObject, part: string): string {
  return items(object, 'spec', 'template', 'spec', 'containers')
    .map((container) => String(container[part] ?? ''))
    .join(',')
}

function jobGoal(job: JsonObject): string {
  const completions = valueAt(job, 'spec.completions')
  if (completions !== undefined) return String(completions)
  const parallelism = number(job, 'spec.parallelism')
  return parallelism > 1 ? `1 of ${parallelism}` : '1'
}

function jobStatus(job: JsonObject): string {
  const held = (type: string) =>
    items(job, 'status', 'conditions').some((condition) => condition.type === type && condition.status === 'True')
  if (held('Complete')) return 'Complete'
  if (held('Failed')) return 'Failed'
  if (valueAt(job, 'metadata.deletionTimestamp') !== undefined) return 'Terminating'
  if (held('Suspended')) return 'Suspended'
  if (held('FailureTarget')) return 'FailureTarget'
  return held('SuccessCriteriaMet') ? 'SuccessCriteriaMet' : 'Running'
}

function jobDuration(job: JsonObject, now: number): string {
  const start = valueAt(job, 'status.startTime')
  if (typeof start !== 'string') return ''
  const end = valueAt(job, 'status.completionTime')
  return humanDuration((typeof end === 'string' ? Date.parse(end) : now) - Date.parse(start))
}

function controllerName(object: JsonObject): string {
  const owner = items(object, 'metadata', 'ownerReferences').find((reference) => reference.controller === true)
  if (owner === undefined) return '<none>'
  const group = String(owner.apiVersion).split('/').slice(0, -1).join('')
  return `${String(owner.kind).toLowerCase()}${group === '' ? '' : `.${group}`}/${String(owner.name)}`
}

function autoscalerTargets(object: JsonObject): string {
  const current = items(object, 'status', 'currentMetrics')
  return joined(
    items(object, 'spec', 'metrics').map((metric, index) => {
      const name = inside(metric, 'resource').name
      const target = inside(metric, 'resource', 'target')
      const measured = inside(current[index] ?? {}, 'resource', 'current').averageUtilization
      const now = measured === undefined ? '<unknown>' : `${String(measured)}%`
      if (name === undefined) return `${now}/${String(inside(metric, 'pods', 'target').averageValue ?? '<auto>')}`
      const goal =
        target.averageUtilization === undefined
          ? String(target.averageValue ?? '<auto>')
          : `${String(target.averageUtilization)}%`
      return `${String(name)}: ${now}/${goal}`
    }),
    ', ',
  )
}

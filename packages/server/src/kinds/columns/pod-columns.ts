import { ageOf } from '@hykube/machinery/amounts'
import type { JsonObject, JsonValue } from '@hykube/machinery/json'
import { inside, items } from '../draft.ts'
import { age, type Column, field, joined, text, valueAt } from './column.ts'

/** Columns of pods and nodes. */
export const podColumns: Readonly<Record<string, readonly Column[]>> = {
  Pod: [
    text('Ready', readyContainers),
    text('Status', podStatus),
    { name: 'Restarts', cell: restarts },
    age,
    text(
      'IP',
      (pod) => String(inside(items(pod, 'status', 'podIPs')[0] ?? {}).ip ?? valueAt(pod, 'status.podIP') ?? '<none>'),
      true,
    ),
    text('Node', (pod) => valueAt(pod, 'spec.nodeName') ?? '<none>', true),
    text('Nominated Node', (pod) => valueAt(pod, 'status.nominatedNodeName') ?? '<none>', true),
    text('Readiness Gates', (pod) => gates(pod), true),
  ],
  PodTemplate: [
    text('Containers', (object) => templateParts(object, 'name')),
    text('Images', (object) => templateParts(object, 'image')),
    text('Pod Labels', (object) => {
      const labels = inside(object, 'template', 'metadata', 'labels')
      return joined(
        Object.keys(labels)
          .sort()
          .map((key) => `${key}=${String(labels[key])}`),
      )
    }),
  ],
  Node: [
    text('Status', nodeStatus),
    text('Roles', (node) => joined(nodeRoles(node))),
    age,
    field('Version', 'status.nodeInfo.kubeletVersion'),
    text('Internal-IP', (node) => nodeAddress(node, 'InternalIP'), true),
    text('External-IP', (node) => nodeAddress(node, 'ExternalIP'), true),
    field('OS-Image', 'status.nodeInfo.osImage', '<unknown>', true),
    field('Kernel-Version', 'status.nodeInfo.kernelVersion', '<unknown>', true),
    field('Container-Runtime', 'status.nodeInfo.containerRuntimeVersion', '<unknown>', true),
  ],
}

function readyContainers(pod: JsonObject): string {
  const statuses = items(pod, 'status', 'containerStatuses')
  const ready = statuses.filter((status) => status.ready === true && 'running' in inside(status, 'state')).length
  return `${ready}/${items(pod, 'spec', 'containers').length}`
}

// The phase, unless a container's state has a more specific reason.
function podStatus(pod: JsonObject): string {
  const phase = String(valueAt(pod, 'status.reason') ?? valueAt(pod, 'status.phase') ?? '')
  const gated = items(pod, 'status', 'conditions').some((condition) => condition.reason === 'SchedulingGated')
  let reason = gated ? 'SchedulingGated' : phase
  for (const status of [...items(pod, 'status', 'containerStatuses')].reverse()) {
    const stateReason =
      inside(status, 'state', 'waiting').reason ?? terminatedReason(inside(status, 'state', 'terminated'))
    if (typeof stateReason === 'string' && stateReason !== '') reason = stateReason
  }
  if (valueAt(pod, 'metadata.deletionTimestamp') === undefined) return reason
  return valueAt(pod, 'status.reason') === 'NodeLost' ? 'Unknown' : 'Terminating'
}

function terminatedReason(terminated: JsonObject): JsonValue | undefined {
  if (Object.keys(terminated).length === 0) return undefined
  if (terminated.reason) return terminated.reason
  const { signal } = terminated
  return signal ? `Signal:${String(signal)}` : `ExitCode:${String(terminated.exitCode ?? 0)}`
}

function restarts(pod: JsonObject, now: number): string {
  const statuses = items(pod, 'status', 'containerStatuses')
  const total = statuses.reduce((sum, status) => sum + Number(status.restartCount ?? 0), 0)
  const last = statuses
    .map((status) => inside(status, 'lastState', 'terminated').finishedAt)
    .filter(Boolean)
    .sort()
    .at(-1)
  return total > 0 && last !== undefined ? `${total} (${ageOf(last, now)} ago)` : String(total)
}

function gates(pod: JsonObject): string {
  const list = items(pod, 'spec', 'readinessGates')
  if (list.length === 0) return '<none>'
  const conditions = items(pod, 'status', 'conditions')
  const met = list.filter((gate) =>
    conditions.some((condition) => condition.type === gate.conditionType && condition.status === 'True'),
  )
  return `${met.length}/${list.length}`
}

function templateParts(object: JsonObject, part: string): string {
  return items(object, 'template', 'spec', 'containers')
    .map((container) => String(container[part] ?? ''))
    .join(',')
}

function nodeStatus(node: JsonObject): string {
  const ready = items(node, 'status', 'conditions').find((condition) => condition.type === 'Ready')
  const status = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return valueAt(node, 'spec.unschedulable') === true ? `${status},SchedulingDisabled` : status
}

function nodeRoles(node: JsonObject): string[] {
  const labels = inside(node, 'metadata', 'labels')
  const prefix = 'node-role.kubernetes.io/'
  const roles = Object.keys(labels).filter((key) => key.startsWith(prefix) && key.length > prefix.length)
  const older = labels['kubernetes.io/role']
  return [
    ...new Set([...roles.map((key) => key.slice(prefix.length)), ...(typeof older === 'string' ? [older] : [])]),
  ].sort()
}

function nodeAddress(node: JsonObject, type: string): JsonValue {
  return items(node, 'status', 'addresses').find((address) => address.type === type)?.address ?? '<none>'
}

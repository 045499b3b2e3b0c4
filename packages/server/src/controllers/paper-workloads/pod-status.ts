import { timeToText } from '@hykube/machinery/amounts'
import type { Condition } from '@hykube/machinery/object'
import { type Container, conditionsWith, type StatusFields, type Workload } from './workload.ts'

/**
 * Status of a running pod, or of a succeeded one when it is not restarted always. Undefined once the phase is not
 * Pending: a simulated pod never changes again.
 */
export function podStatus(pod: Workload, now: number): StatusFields | undefined {
  const { phase = 'Pending' } = (pod.status ?? {}) as { phase?: string }
  if (phase !== 'Pending') return undefined
  const time = timeToText(now)
  const ended = ['Never', 'OnFailure'].includes(pod.spec?.restartPolicy ?? 'Always')
  const init = pod.spec?.initContainers ?? []
  const statuses = (pod.spec?.containers ?? []).map((each) => containerStatus(each, ended, time))
  return {
    phase: ended ? 'Succeeded' : 'Running',
    startTime: time,
    hostIP: localAddress,
    hostIPs: [{ ip: localAddress }],
    podIP: localAddress,
    podIPs: [{ ip: localAddress }],
    conditions: podConditions(pod, ended, now),
    containerStatuses: statuses,
    // An init container with restartPolicy Always is a sidecar and runs as long as the pod.
    initContainerStatuses:
      init.length === 0
        ? null
        : init.map((each) => containerStatus(each, ended || each.restartPolicy !== 'Always', time)),
  }
}

/** Address of all simulated pods and load balancers. */
export const localAddress = '127.0.0.1'

function podConditions(pod: Workload, ended: boolean, now: number): readonly Condition[] {
  const reason = ended ? 'PodCompleted' : ''
  const ready = ended ? 'False' : 'True'
  return conditionsWith(
    pod,
    now,
    { type: 'PodScheduled', status: 'True', reason: '', message: '' },
    { type: 'Initialized', status: 'True', reason, message: '' },
    { type: 'ContainersReady', status: ready, reason, message: '' },
    { type: 'Ready', status: ready, reason, message: '' },
  )
}

function containerStatus({ name, image = '' }: Container, ended: boolean, time: string): object {
  const state = ended
    ? { terminated: { exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time } }
    : { running: { startedAt: time } }
  return { name, image, imageID: '', ready: !ended, started: !ended, restartCount: 0, state, lastState: {} }
}

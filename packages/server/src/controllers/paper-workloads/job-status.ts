import { timeToText } from '@hykube/machinery/amounts'
import { hasCondition } from '@hykube/machinery/object'
import { conditionsWith, type StatusFields, type Workload } from './workload.ts'

/**
 * Status of a Job whose pods have all succeeded, or of a suspended Job. Undefined when the Job has already finished.
 */
export function jobStatus(job: Workload, now: number): StatusFields | undefined {
  const { spec, status } = job
  if (spec?.managedBy != null && spec.managedBy !== 'kubernetes.io/job-controller') return undefined
  if (hasCondition(status?.conditions, 'Complete') || hasCondition(status?.conditions, 'Failed')) return undefined
  return spec?.suspend ? suspended(job, now) : completed(job, now)
}

function completed(job: Workload, now: number): StatusFields {
  const time = timeToText(now)
  const reached = {
    status: 'True',
    reason: 'CompletionsReached',
    message: 'Reached expected number of succeeded pods',
  } as const
  const resumed = hasCondition(job.status?.conditions, 'Suspended')
    ? [
        {
          type: 'Suspended',
          status: 'False',
          reason: 'JobResumed',
          message: 'Job resumed',
          lastProbeTime: time,
        } as const,
      ]
    : []
  return {
    startTime: job.status?.startTime ?? time,
    completionTime: time,
    succeeded: job.spec?.completions ?? job.spec?.parallelism ?? 1,
    ready: 0,
    terminating: 0,
    active: null,
    uncountedTerminatedPods: {},
    conditions: conditionsWith(
      job,
      now,
      ...resumed,
      { type: 'SuccessCriteriaMet', ...reached, lastProbeTime: time },
      { type: 'Complete', ...reached, lastProbeTime: time },
    ),
  }
}

function suspended(job: Workload, now: number): StatusFields {
  const lastProbeTime = timeToText(now)
  const condition = {
    type: 'Suspended',
    status: 'True',
    reason: 'JobSuspended',
    message: 'Job suspended',
    lastProbeTime,
  } as const
  return { conditions: conditionsWith(job, now, condition) }
}

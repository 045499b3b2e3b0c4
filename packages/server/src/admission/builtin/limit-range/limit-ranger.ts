import type { KubernetesObject } from '@hykube/machinery/object'
import { forbidden } from '@hykube/machinery/status'
import type { AdmissionPlugin, AdmissionRequest } from '../../chain.ts'
import { withLimitDefaults } from './defaults.ts'
import { claimLimitProblems, podLimitProblems } from './limits.ts'

/** Reads limit ranges. */
export interface LimitRangeReader {
  /** True when a namespace has any. Cheap: called for every write of a pod or claim. */
  hasLimitRanges(cluster: string, namespace: string): boolean
  read(cluster: string, namespace: string): Promise<readonly KubernetesObject[]>
}

/** Sets the defaults of a namespace's limit ranges in pods, and rejects pods and claims that violate them. */
export function limitRanger(reader: LimitRangeReader): AdmissionPlugin {
  return {
    name: 'LimitRanger',
    handles: (request) => isLimited(request) && reader.hasLimitRanges(request.cluster, request.namespace),
    mutate: async ({ object, type, cluster, namespace }) => {
      if (type.names.kind !== 'Pod') return object!
      return (await reader.read(cluster, namespace)).reduce(withLimitDefaults, object!)
    },
    validate: async ({ object, type, cluster, namespace, name }) => {
      const problemsOf = type.names.kind === 'Pod' ? podLimitProblems : claimLimitProblems
      const ranges = await reader.read(cluster, namespace)
      const problems = [...new Set(ranges.flatMap((range) => problemsOf(object!, range)))]
      if (problems.length === 0) return
      const why = problems.length === 1 ? problems[0]! : `[${problems.join(', ')}]`
      throw forbidden({ group: type.group, resource: type.names.plural }, name, why)
    },
  }
}

// A pod's resources are fixed at creation; a claim may grow later.
function isLimited({ operation, subresource, type }: AdmissionRequest): boolean {
  if (type.group !== '' || subresource !== '') return false
  const { kind } = type.names
  return kind === 'Pod'
    ? operation === 'CREATE'
    : kind === 'PersistentVolumeClaim' && ['CREATE', 'UPDATE'].includes(operation)
}

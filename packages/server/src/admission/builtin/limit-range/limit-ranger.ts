import type { KubernetesObject } from '@hykube/machinery/object'
import { forbidden } from '@hykube/machinery/status'
import type { AdmissionPlugin, AdmissionRequest } from '../../chain.ts'
import { withLimitDefaults } from './defaults.ts'
import { claimLimitProblems, podLimitProblems } from './limits.ts'

/** Where limit ranges are. */
export interface LimitRangeReader {
  /** Whether a namespace has any. Cheap: asked for every write of a pod or claim. */
  hasLimitRanges(cluster: string, namespace: string): boolean
  read(cluster: string, namespace: string): Promise<readonly KubernetesObject[]>
}

/** Gives pods what a namespace's limit ranges say by default, and refuses what goes beyond them. */
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

// A pod's resources are settled when it is created; a claim may grow.
function isLimited({ operation, subresource, type }: AdmissionRequest): boolean {
  if (type.group !== '' || subresource !== '') return false
  const { kind } = type.names
  return kind === 'Pod'
    ? operation === 'CREATE'
    : kind === 'PersistentVolumeClaim' && ['CREATE', 'UPDATE'].includes(operation)
}

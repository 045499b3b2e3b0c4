import { forbidden } from '@hykube/machinery/status'
import type { AdmissionPlugin } from '../../admission/index.ts'
import type { ServedKinds } from '../kind-catalogue.ts'

/** Rejects new objects of a Provider that is being deleted. */
export function deletedProviderRules(kinds: ServedKinds): AdmissionPlugin {
  return {
    name: 'ProviderLifecycle',
    handles: ({ operation, type, cluster, subresource }) =>
      operation === 'CREATE' && subresource === '' && kinds.at(cluster, type.group, type.names.plural) !== undefined,
    validate: ({ type, cluster, name }) => {
      const { group, names } = type
      const { provider = '' } = kinds.at(cluster, group, names.plural) ?? {}
      if (!kinds.isDeleting(cluster, provider)) return
      const problem = `the Provider ${JSON.stringify(provider)} is being deleted: no objects of its kinds can be created`
      throw forbidden({ group, resource: names.plural }, name, problem)
    },
  }
}

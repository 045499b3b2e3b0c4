import { forbidden } from '@hykube/machinery/status'
import type { AdmissionPlugin } from '../../admission/index.ts'
import type { ServedKinds } from '../kind-catalogue.ts'

/** Nothing new is made of the kinds of a Provider that is being deleted. */
export function leavingRules(kinds: ServedKinds): AdmissionPlugin {
  return {
    name: 'ProviderLifecycle',
    handles: ({ operation, type, cluster, subresource }) =>
      operation === 'CREATE' && subresource === '' && kinds.at(cluster, type.group, type.names.plural) !== undefined,
    validate: ({ type, cluster, name }) => {
      const { group, names } = type
      const { provider = '' } = kinds.at(cluster, group, names.plural) ?? {}
      if (!kinds.isLeaving(cluster, provider)) return
      const problem = `the Provider ${JSON.stringify(provider)} is being deleted: nothing new can be made of its kinds`
      throw forbidden({ group, resource: names.plural }, name, problem)
    },
  }
}

import type { KubernetesObject } from '@hykube/machinery/object'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import type { KindCatalogue } from '../../model/index.ts'
import type { ProviderUse } from '../provider-use.ts'

/**
 * Allows only users with the verb `use` on a Restricted Provider to write its objects and ProviderConfigs. All subresources are checked,
 * because `/scale` also creates instances.
 */
export function useRules(use: ProviderUse, kinds: KindCatalogue): AdmissionPlugin {
  const usedBy = ({ type, cluster, object, old }: AdmissionRequest): readonly string[] => {
    if (isConfiguration(type.group, type.names.kind)) return [...new Set([object, old].flatMap(configured))]
    const kind = kinds.at(cluster, type.group, type.names.plural)
    return kind === undefined ? [] : [kind.provider]
  }
  return {
    name: 'ProviderUse',
    handles: ({ type, cluster, operation }) =>
      operation !== 'DELETE' &&
      (isConfiguration(type.group, type.names.kind) || kinds.at(cluster, type.group, type.names.plural) !== undefined),
    validate: async (request) => {
      const { user, cluster, type, name } = request
      const of = { group: type.group, resource: type.names.plural, name }
      for (const provider of usedBy(request)) await use.require(user, cluster, provider, of)
    },
  }
}

function isConfiguration(group: string, kind: string): boolean {
  return group === 'hykube.io' && kind === 'ProviderConfig'
}

function configured(object: KubernetesObject | undefined): string[] {
  const { provider } = (object?.spec ?? {}) as { readonly provider?: unknown }
  return typeof provider === 'string' ? [provider] : []
}

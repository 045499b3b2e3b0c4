import type { KubernetesObject } from '@hykube/machinery/object'
import { invalid } from '@hykube/machinery/status'
import { pathToText } from '@hykube/tfplugin/value'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import type { Authorizer } from '../../auth/index.ts'
import { resolvedProvidersOf } from '../../estate/index.ts'
import { referencesOf, type SpecReferences } from '../../expression/index.ts'
import type { NodeFacts } from '../../plan/index.ts'
import type { EstateReader } from '../estate-reader.ts'
import { findCircle, targetsOfConfiguration } from './dependency-circle.ts'
import { checkReferences, invalidReference } from './reference-permissions.ts'

/**
 * What a write of a Provider or a ProviderConfig must keep to: its references are allowed to their writer, and lead round in
 * no circle. What a provider is configured with it can send anywhere, so that this is as good as reading it.
 */
export function configurationRules(reader: EstateReader, authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'ProviderConfigurations',
    handles: ({ type, subresource, operation }) =>
      subresource === '' &&
      (operation === 'CREATE' || operation === 'UPDATE') &&
      type.group === 'hykube.io' &&
      (type.names.kind === 'Provider' || type.names.kind === 'ProviderConfig'),
    validate: (request) => check(request, reader, authorizer),
  }
}

async function check(request: AdmissionRequest, reader: EstateReader, authorizer: Authorizer): Promise<void> {
  const { object, old, type, cluster, namespace } = request
  if (object === undefined) return
  const name = object.metadata?.name ?? request.name
  const place = { cluster, group: type.group, resource: type.names.plural, namespace, name }
  const isDefault = type.names.kind === 'Provider'
  const { provider = '' } = (object.spec ?? {}) as { provider?: string }
  const referring = { place, kind: { provider: isDefault ? name : provider }, resolved: resolvedProvidersOf(object) }
  const { references, problems } = referencesIn(object)
  const causes = [
    ...problems.map(({ path, message }) => invalidReference(`spec.config.${pathToText(path)}`, message)),
    ...references.flatMap(({ reference, path }) =>
      isDefault && reference.kind === 'resource'
        ? [invalidReference(`spec.config.${pathToText(path)}`, noResources)]
        : [],
    ),
  ]
  if (causes.length === 0)
    causes.push(
      ...checkReferences(
        { authorizer, kinds: reader.kinds },
        request,
        referring,
        references,
        old === undefined ? [] : referencesIn(old).references,
        'spec.config',
      ),
    )
  if (causes.length === 0)
    causes.push(...(await findCircle(place, targetsOfConfiguration(place, object, reader), reader)))
  if (causes.length > 0) throw invalid({ group: type.group, kind: type.names.kind }, name, causes)
}

const noResources = 'the default configuration of a provider can not come from resources: write a ProviderConfig'

function referencesIn({ spec }: KubernetesObject): SpecReferences {
  const { config = {} } = (spec ?? {}) as { config?: NodeFacts['spec'] }
  return referencesOf(undefined, config)
}

import { type JsonObject, jsonEquals } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { invalid, type StatusCause } from '@hykube/machinery/status'
import { pathToText } from '@hykube/tfplugin/value'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import type { Authorizer } from '../../auth/index.ts'
import type { EstateReader } from '../../estate/index.ts'
import { type Estate, resolvedProvidersOf } from '../../estate/index.ts'
import { referencesOf, type SpecReference, type SpecReferences } from '../../expression/index.ts'
import type { ResourceObject } from '../../model/index.ts'
import { findCycle, targetsOfConfiguration } from './dependency-cycle.ts'
import { invalidReference, ReferencePermissions } from './reference-permissions.ts'

/**
 * Validates writes of Providers and ProviderConfigs: the user must be allowed to read every referenced value, and references must not form
 * a cycle. A provider can send its configuration anywhere, so configuring it with a value equals reading the value.
 */
export function configurationRules(reader: EstateReader, estate: Estate, authorizer: Authorizer): AdmissionPlugin {
  const permissions = new ReferencePermissions(authorizer, reader, estate)
  return {
    name: 'ProviderConfigurations',
    handles: ({ type, subresource, operation }) =>
      subresource === '' &&
      (operation === 'CREATE' || operation === 'UPDATE') &&
      type.group === 'hykube.io' &&
      (type.names.kind === 'Provider' || type.names.kind === 'ProviderConfig'),
    validate: (request) => check(request, reader, permissions),
  }
}

async function check(
  request: AdmissionRequest,
  reader: EstateReader,
  permissions: ReferencePermissions,
): Promise<void> {
  const { object, old, type, cluster, namespace } = request
  if (object === undefined) return
  const name = object.metadata?.name ?? request.name
  const ref = { cluster, group: type.group, resource: type.names.plural, namespace, name }
  const isDefault = type.names.kind === 'Provider'
  const { provider = '' } = (object.spec ?? {}) as { provider?: string }
  const referring = { ref, kind: { provider: isDefault ? name : provider }, resolved: resolvedProvidersOf(object) }
  const { references, problems } = referencesIn(object)
  const causes = [
    ...problems.map(({ path, message }) => invalidReference(`spec.config.${pathToText(path)}`, message)),
    ...movedConfiguration(request),
    ...references.flatMap(({ reference, path }) =>
      isDefault && reference.kind === 'resource'
        ? [invalidReference(`spec.config.${pathToText(path)}`, noResources)]
        : [],
    ),
  ]
  if (causes.length === 0)
    causes.push(
      ...(await permissions.check(request, referring, references, unchangedReferences(object, old), 'spec.config')),
    )
  if (causes.length === 0) causes.push(...(await findCycle(ref, targetsOfConfiguration(ref, object, reader), reader)))
  if (causes.length > 0) throw invalid({ group: type.group, kind: type.names.kind }, name, causes)
}

const noResources = 'the default configuration of a provider cannot refer to resources: create a ProviderConfig'

// Returns the references that were authorized before. Any setting may decide where the provider sends a credential, so a change of one
// setting makes every reference a new use. Only the version of a Provider is no such setting.
function unchangedReferences(object: KubernetesObject, old: KubernetesObject | undefined): readonly SpecReference[] {
  const destination = ({ spec }: KubernetesObject) => ({ ...(spec as JsonObject | undefined), version: null })
  return old !== undefined && jsonEquals(destination(object), destination(old)) ? referencesIn(old).references : []
}

function movedConfiguration({ object, old, type }: AdmissionRequest): StatusCause[] {
  if (type.names.kind !== 'ProviderConfig' || old === undefined) return []
  const [before, after] = [old, object!].map(({ spec }) => (spec as { provider?: string } | undefined)?.provider)
  if (before === after) return []
  return [
    {
      reason: 'FieldValueInvalid',
      field: 'spec.provider',
      message: `Invalid value: ${JSON.stringify(after)}: field is immutable`,
    },
  ]
}

function referencesIn({ spec }: KubernetesObject): SpecReferences {
  const { config = {} } = (spec ?? {}) as { config?: ResourceObject['spec'] }
  return referencesOf(undefined, config)
}

import { type JsonObject, type JsonValue, jsonEquals } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import { resolvedProvidersAnnotation, resolvedProvidersOf } from '../../estate/index.ts'
import { bareAddress } from '../../evaluation/index.ts'
import { referencesOf } from '../../expression/index.ts'
import type { KindCatalogue, ResolvedProviders } from '../../model/index.ts'

/**
 * Records in an annotation which Provider each bare reference to a type of another Provider means. An update that keeps a reference keeps its
 * Provider, so that installing a second Provider with the same types doesn't change stored objects.
 */
export function providerResolution(kinds: KindCatalogue): AdmissionPlugin {
  return {
    name: 'ResolvedProviders',
    handles: (request) =>
      request.subresource === '' &&
      (request.operation === 'CREATE' || request.operation === 'UPDATE') &&
      ownProvider(request, kinds) !== undefined,
    mutate: (request) => {
      const { object, old } = request
      const before = resolvedProvidersOf(old)
      const isSame =
        old !== undefined && jsonEquals((old.spec ?? null) as JsonValue, (object!.spec ?? null) as JsonValue)
      return withResolved(object!, isSame ? before : resolvedNow(request, before, kinds))
    },
  }
}

// The Provider that bare references are resolved to first.
function ownProvider({ cluster, type, object }: AdmissionRequest, kinds: KindCatalogue): string | undefined {
  if (type.group !== 'hykube.io') return kinds.at(cluster, type.group, type.names.plural)?.provider
  if (type.names.kind !== 'ProviderConfig') return undefined
  return ((object?.spec ?? {}) as { provider?: string }).provider
}

function resolvedNow(request: AdmissionRequest, before: ResolvedProviders, kinds: KindCatalogue): ResolvedProviders {
  const own = ownProvider(request, kinds)!
  const { spec = {} } = request.object as { spec?: JsonObject }
  const isConfig = request.type.group === 'hykube.io'
  const written = isConfig ? ((spec.config ?? {}) as JsonObject) : spec
  const resolved = new Map<string, string>()
  for (const { reference } of referencesOf(undefined, written).references) {
    if (reference.kind !== 'resource' || reference.provider !== undefined) continue
    const key = bareAddress(reference)
    const { data, type } = reference
    const found = kinds.find(request.cluster, own, { data, type })
    const provider = before.get(key) ?? (typeof found === 'object' ? found.provider : own)
    if (provider !== own) resolved.set(key, provider)
  }
  return resolved
}

// A value from the client is always overwritten.
function withResolved(object: KubernetesObject, resolved: ResolvedProviders): KubernetesObject {
  const { annotations, ...metadata } = object.metadata ?? {}
  const { [resolvedProvidersAnnotation]: given, ...others } = annotations ?? {}
  if (resolved.size === 0 && given === undefined) return object
  const text = JSON.stringify(Object.fromEntries([...resolved].sort(([a], [b]) => (a < b ? -1 : 1))))
  if (text === given) return object
  const kept = resolved.size === 0 ? others : { ...others, [resolvedProvidersAnnotation]: text }
  return { ...object, metadata: { ...metadata, ...(Object.keys(kept).length > 0 && { annotations: kept }) } }
}

import type { JsonObject } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType, StoragePlace, Subresource, TableColumns, Verb } from '@hykube/machinery/resource-type'
import { builtInColumns } from './columns/built-in-columns.ts'
import { autoscalerFromV2, autoscalerToV2 } from './conversion/autoscalers.ts'
import { eventFromCore, eventToCore } from './conversion/events.ts'
import { withDefaults } from './defaults/with-defaults.ts'
import { jsonForm } from './json-form.ts'
import { builtInKinds, type KindFacts } from './kind-table.ts'
import { objectProtobuf } from './object-protobuf.ts'
import { builtInOpenApi } from './open-api-schemas.ts'
import { selectableFields } from './selectable-fields.ts'
import { builtInStrategy } from './strategy.ts'
import { typeShape } from './type-shapes.ts'
import { validateBuiltIn } from './validation/validate-built-in.ts'

/**
 * Returns the built-in kinds as resource types in discovery order. Only the list of names is built eagerly; schemas,
 * codecs and columns are built on first use.
 */
export function builtInResourceTypes(): ResourceType[] {
  types ??= builtInKinds().map(resourceType)
  return types
}

let types: ResourceType[] | undefined

function resourceType(kind: KindFacts): ResourceType {
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
  let columns: TableColumns | undefined
  return {
    group: kind.group,
    version: kind.version,
    names: {
      plural: kind.plural,
      singular: kind.singular,
      kind: kind.kind,
      listKind: `${kind.kind}List`,
      shortNames: kind.shortNames,
      categories: kind.categories,
    },
    namespaced: kind.namespaced,
    verbs: kind.verbs as readonly Verb[],
    storage: storagePlace(kind, apiVersion),
    subresources: new Map(kind.subresources.map((subresource) => [subresource.name, subresourceOf(kind, subresource)])),
    strategicMerge: true,
    shape: () => typeShape(kind.typeName),
    protobuf: () => objectProtobuf(kind.typeName)!,
    prune: (object) => jsonForm(kind.typeName, kind.kind, apiVersion, object),
    setDefaults: (object) => withDefaults(kind.kind, object as JsonObject) as KubernetesObject,
    validate: (object, old) => validateBuiltIn(kind, object as JsonObject, old as JsonObject | undefined),
    strategy: builtInStrategy(kind),
    ...(kind.kind === 'Endpoints' && {
      deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
    }),
    columns: () => {
      columns ??= builtInColumns(kind.group, kind.kind)
      return columns
    },
    selectableFields: selectableFields(kind.group, kind.kind),
    openApi: builtInOpenApi(kind.typeName),
  }
}

function storagePlace(kind: KindFacts, apiVersion: string): StoragePlace {
  const place = {
    group: kind.group,
    resource: kind.plural,
    apiVersion,
    kind: kind.kind,
    identity: '',
    encrypted: kind.kind === 'Secret',
    tag: 0,
  }
  // Both groups of Event share stored objects, and so do both versions of the autoscaler.
  if (kind.group === 'events.k8s.io') {
    return { ...place, group: '', apiVersion: 'v1', fromStorage: eventFromCore, toStorage: eventToCore }
  }
  if (kind.group === 'autoscaling' && kind.version === 'v1') {
    return { ...place, apiVersion: 'autoscaling/v2', fromStorage: autoscalerFromV2, toStorage: autoscalerToV2 }
  }
  return place
}

function subresourceOf(kind: KindFacts, facts: KindFacts['subresources'][number]): Subresource {
  const isOwn = facts.kind === kind.kind && facts.group === kind.group
  return {
    name: facts.name,
    verbs: facts.verbs as readonly Verb[],
    ...(!isOwn && { objectKind: { group: facts.group, version: facts.version, kind: facts.kind } }),
    ...(facts.name === 'scale' && {
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.spec.selector',
      },
    }),
  }
}

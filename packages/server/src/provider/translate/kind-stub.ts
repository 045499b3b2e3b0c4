import type { KubernetesObject, OwnerReference } from '@hykube/machinery/object'
import type { KindNames } from './kind-names.ts'
import type { ProviderKind, TakenNames } from './provider-kind.ts'

/** The annotation of a stub with the hash of the schema it stands for. */
export const schemaHashAnnotation = 'hykube.io/schema-hash'

/** The annotation of a stub with the provider's own name of the type. */
export const typeAnnotation = 'hykube.io/type'

/** What a stub says besides the facts of its kind. */
export interface KindStubOptions {
  readonly schemaHash: string
  /** The Provider object. */
  readonly owner: { readonly name: string; readonly uid: string }
  /** Since when the kind is served, as RFC 3339 text. */
  readonly since: string
}

/**
 * A kind as a CustomResourceDefinition, so that clients that list those find it. Its schema is open: OpenAPI has the true
 * one. It is accepted and established from the first moment, because its names were decided before it was written.
 */
export function kindStub(kind: ProviderKind, { schemaHash, owner, since }: KindStubOptions): KubernetesObject {
  const { group, provider, type, mode, version, names: own } = kind
  const names = { ...own, categories: ['hykube', provider] }
  const ownerReference: OwnerReference = {
    apiVersion: 'hykube.io/v1alpha1',
    kind: 'Provider',
    name: owner.name,
    uid: owner.uid,
    controller: true,
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${own.plural}.${group}`,
      annotations: { [schemaHashAnnotation]: schemaHash, [typeAnnotation]: type },
      ownerReferences: [ownerReference],
    },
    spec: {
      group,
      names,
      scope: 'Namespaced',
      conversion: { strategy: 'None' },
      versions: [{ name: version, served: true, storage: true, schema: openSchema, subresources: subresources[mode] }],
    },
    status: {
      acceptedNames: names,
      storedVersions: [version],
      conditions: [
        condition('NamesAccepted', 'NoConflicts', 'no conflicts found', since),
        condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted', since),
      ],
    },
  }
}

/** Whether a CustomResourceDefinition is such a stub, whose kind is served from its provider's schema. */
export function isKindStub({ metadata }: KubernetesObject): boolean {
  return metadata?.annotations?.[schemaHashAnnotation] !== undefined && metadata.name?.endsWith('.hykube.io') === true
}

/** The names that stubs of a provider were served under, for those that come after them. */
export function takenNames(provider: string, stubs: Iterable<KubernetesObject>): TakenNames {
  const taken = { managed: new Map<string, KindNames>(), data: new Map<string, KindNames>() }
  for (const stub of stubs) {
    const { group, names } = (stub as unknown as StoredStub).spec
    const type = stub.metadata?.annotations?.[typeAnnotation]
    if (type === undefined) continue
    const { plural, singular, kind, listKind } = names
    if (group === `${provider}.hykube.io`) taken.managed.set(type, { plural, singular, kind, listKind })
    else if (group === `data.${provider}.hykube.io`) taken.data.set(type, { plural, singular, kind, listKind })
  }
  return taken
}

interface StoredStub {
  readonly spec: { readonly group: string; readonly names: KindNames }
}

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const openSchema = { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } }
const subresources = {
  data: { status: {} },
  managed: {
    status: {},
    scale: { specReplicasPath: '.spec.count', statusReplicasPath: '.status.instances.ready' },
  },
}

function condition(type: string, reason: string, message: string, since: string) {
  return { type, status: 'True', lastTransitionTime: since, reason, message }
}

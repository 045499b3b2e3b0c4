import type { KubernetesObject, OwnerReference } from '@hykube/machinery/object'
import type { KindNames } from './kind-names.ts'
import type { ProviderKind, ServedNames } from './provider-kind.ts'

/** The annotation of a stub with the hash of its provider's schema. */
export const schemaHashAnnotation = 'hykube.io/schema-hash'

/** The annotation of a stub with the provider's own name of the type. */
export const typeAnnotation = 'hykube.io/type'

/** The fields of a stub that don't come from its kind. */
export interface KindStubOptions {
  readonly schemaHash: string
  /** The Provider object. */
  readonly owner: { readonly name: string; readonly uid: string }
  /** The time from which the kind is served, in RFC 3339. */
  readonly since: string
}

/**
 * A CustomResourceDefinition that announces a provider kind to clients that list CRDs. It accepts every spec, because the kind
 * is served from the provider's schema. Its conditions are True from the start: the names are assigned before it is written.
 */
export function kindStub(kind: ProviderKind, { schemaHash, owner, since }: KindStubOptions): KubernetesObject {
  const { group, type, mode, version, names } = kind
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
      name: `${names.plural}.${group}`,
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

/** Returns whether a CustomResourceDefinition is a stub of a provider kind. */
export function isKindStub({ metadata }: KubernetesObject): boolean {
  return metadata?.annotations?.[schemaHashAnnotation] !== undefined && metadata.name?.endsWith('.hykube.io') === true
}

/** The names in a provider's existing stubs, which its types must keep. */
export function servedNames(provider: string, stubs: Iterable<KubernetesObject>): ServedNames {
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

/** The type that a stub stands for. */
export function typeOfStub(stub: KubernetesObject): { readonly type: string; readonly data: boolean } {
  const { group, names } = (stub as unknown as StoredStub).spec
  const type = stub.metadata?.annotations?.[typeAnnotation] ?? names.singular.replaceAll('-', '_')
  return { type, data: group.startsWith('data.') }
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

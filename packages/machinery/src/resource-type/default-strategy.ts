import { type JsonValue, jsonEquals } from '../json/index.ts'
import { dnsSubdomainName, type KubernetesObject } from '../object/index.ts'
import type { Strategy } from './resource-type.ts'

export interface DefaultStrategyOptions {
  /** True when the kind has a status subresource: then the main endpoint cannot change status. */
  readonly hasStatus: boolean
}

/** The write behaviour of custom resources, and of built-in kinds that do not differ from them. */
export function defaultStrategy({ hasStatus }: DefaultStrategyOptions): Strategy {
  return {
    validateName: (name, prefix) => dnsSubdomainName(name, prefix ? 'prefix' : undefined),
    prepareForCreate: (object) => withGeneration(hasStatus ? withStatus(object, undefined) : object, 1),
    // The generation counts changes of everything but metadata, as for custom resources in Kubernetes.
    prepareForUpdate: (object, old) => {
      const kept = hasStatus ? withStatus(object, old.status) : object
      const before = old.metadata?.generation ?? 0
      return withGeneration(kept, sameButMetadata(kept, old) ? before : before + 1)
    },
    prepareForStatusUpdate: (object, old) =>
      withStatus({ ...old, metadata: statusMetadata(object, old) }, object.status),
    allowUnconditionalUpdate: false,
    allowCreateOnUpdate: false,
    returnsDeletedObject: false,
    warnings: finalizerWarnings,
  }
}

function withStatus(object: KubernetesObject, status: unknown): KubernetesObject {
  if (status !== undefined) return { ...object, status }
  if (!('status' in object)) return object
  const { status: _, ...rest } = object
  return rest as KubernetesObject
}

function statusMetadata(
  { metadata }: KubernetesObject,
  old: KubernetesObject,
): NonNullable<KubernetesObject['metadata']> {
  return {
    ...old.metadata,
    ...(metadata?.managedFields !== undefined && { managedFields: metadata.managedFields }),
    ...(metadata?.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
  }
}

function withGeneration(object: KubernetesObject, generation: number): KubernetesObject {
  if (object.metadata?.generation === generation) return object
  return { ...object, metadata: { ...object.metadata, generation } }
}

function sameButMetadata(
  { metadata: _a, ...now }: KubernetesObject,
  { metadata: _b, ...before }: KubernetesObject,
): boolean {
  return jsonEquals(now as JsonValue, before as JsonValue)
}

const standardFinalizers = new Set(['orphan', 'foregroundDeletion', 'kubernetes'])

// Two controllers could choose the same finalizer when its name has no domain. The text is kube-apiserver's.
function finalizerWarnings(object: KubernetesObject, old: KubernetesObject | undefined): string[] {
  const known = new Set(old?.metadata?.finalizers ?? [])
  return (object.metadata?.finalizers ?? [])
    .filter((finalizer) => !known.has(finalizer) && !finalizer.includes('/') && !standardFinalizers.has(finalizer))
    .map((finalizer) => {
      const path = finalizer.includes('.') ? ' including a path (/)' : ''
      return `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`
    })
}

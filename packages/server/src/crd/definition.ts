import type { Condition, KubernetesObject } from '@hykube/machinery/object'
import type { JsonSchema } from '@hykube/machinery/schema'

/** Group and resource of CustomResourceDefinition itself. */
export const definitionResource = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' } as const

/** Finalizer that keeps a definition until its objects are deleted. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

/** A CustomResourceDefinition. Stored ones are validated and have this form; fields of a client's may be missing. */
export interface Definition extends KubernetesObject {
  readonly spec: DefinitionSpec
  readonly status?: DefinitionStatus
}

export interface DefinitionSpec {
  readonly group: string
  readonly names: DefinitionNames
  readonly scope: string
  readonly versions: readonly DefinitionVersion[]
  readonly preserveUnknownFields?: boolean
  readonly conversion?: { readonly strategy?: string; readonly webhook?: unknown }
}

export interface DefinitionNames {
  readonly plural: string
  readonly kind: string
  readonly singular?: string
  readonly listKind?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}

export interface DefinitionVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly deprecated?: boolean
  readonly deprecationWarning?: string
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema }
  readonly subresources?: {
    readonly status?: object
    readonly scale?: {
      readonly specReplicasPath: string
      readonly statusReplicasPath: string
      readonly labelSelectorPath?: string
    }
  }
  readonly additionalPrinterColumns?: readonly PrinterColumn[]
  readonly selectableFields?: readonly { readonly jsonPath: string }[]
}

export interface PrinterColumn {
  readonly name: string
  readonly type: string
  readonly jsonPath: string
  readonly format?: string
  readonly description?: string
  readonly priority?: number
}

export interface DefinitionStatus {
  readonly conditions?: readonly Condition[] | null
  readonly acceptedNames?: DefinitionNames
  readonly storedVersions?: readonly string[] | null
}

/** Casts an object of the kind. */
export function definitionFrom(object: KubernetesObject): Definition {
  return object as Definition
}

/** Returns the version that objects are stored in. */
export function storageVersionOf({ versions }: DefinitionSpec): DefinitionVersion | undefined {
  // A client may have sent no versions; validation reports that.
  return (versions as DefinitionSpec['versions'] | null)?.find(({ storage }) => storage)
}

/** Returns true when the condition has status True. */
export function isConditionTrue({ status }: Definition, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') === true
}

/** Returns true when deletion was requested. */
export function isTerminating({ metadata }: Definition): boolean {
  return metadata?.deletionTimestamp !== undefined
}

import type { Condition, KubernetesObject } from '@hykube/machinery/object'
import type { JsonSchema } from '@hykube/machinery/schema'

/** The group and resource of definitions themselves. */
export const definitionPlace = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' } as const

/** What keeps a definition until its resources are gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

/** A CustomResourceDefinition. What is stored was checked, so it has this form; what a client sends may lack anything. */
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

/** A definition from an object of the kind. */
export function definitionFrom(object: KubernetesObject): Definition {
  return object as Definition
}

/** The version that objects are stored in. */
export function storageVersionOf({ versions }: DefinitionSpec): DefinitionVersion | undefined {
  // A client may have sent none; that is for validation to say.
  return (versions as DefinitionSpec['versions'] | null)?.find(({ storage }) => storage)
}

/** Whether a condition of a definition is true. */
export function isConditionTrue({ status }: Definition, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') === true
}

/** Whether a definition was asked to go. */
export function isTerminating({ metadata }: Definition): boolean {
  return metadata?.deletionTimestamp !== undefined
}

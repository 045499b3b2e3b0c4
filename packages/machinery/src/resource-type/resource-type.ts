import type { KubernetesObject, TypeShape } from '../object/index.ts'
import type { StatusCause } from '../status/index.ts'
import type { OpenApi } from './open-api.ts'

/**
 * What every kind compiles to, one for each served version: built-in kinds, CRDs, provider kinds and bound APIs all become
 * this, and every verb is written once against it.
 *
 * Parts that cost something to make are functions: they are called on first use and keep what they made. No function
 * changes an object it is given; it returns the same object or a new one that shares what stayed the same.
 */
export interface ResourceType {
  readonly group: string
  readonly version: string
  readonly names: ResourceNames
  readonly namespaced: boolean
  readonly verbs: readonly Verb[]
  /** Where and in which version objects are kept. Several versions, and both groups of Event, share one place. */
  readonly storage: StoragePlace
  /** By name, as `status`, `scale`, `token`. */
  readonly subresources: ReadonlyMap<string, Subresource>
  /** Which content types a PATCH may have besides JSON, merge and apply patches. CRDs have no strategic merge. */
  readonly strategicMerge: boolean
  /** How fields nest and merge. */
  readonly shape: () => TypeShape
  /** Whether objects must say their version and kind, as those of definitions must. Default false: the endpoint knows. */
  readonly saysKind?: boolean
  /** The protobuf form, for kinds that have one. */
  readonly protobuf?: () => ObjectCodec
  /**
   * Removes what the schema does not know, and tells the paths of it (`spec.foo`), for `fieldValidation`. Called once for
   * every object that a client sends, before defaults.
   */
  readonly prune: (object: KubernetesObject) => Pruned
  /**
   * Whether unknown fields stay in the object, for `validate` to refuse, so that nothing is lost in silence; `prune` then
   * only tells of them. Default false.
   */
  readonly refusesUnknownFields?: boolean
  /** Fills in defaults; also applied to what is read from storage when its tag is not the current one. */
  readonly setDefaults: (object: KubernetesObject) => KubernetesObject
  /**
   * Checks an object that is complete; `old` is there on update, and the endpoint where it is none of the object's own. Names
   * and metadata are checked by the verbs.
   */
  readonly validate: (
    object: KubernetesObject,
    old: KubernetesObject | undefined,
    subresource?: string,
  ) => readonly StatusCause[]
  readonly strategy: Strategy
  /** What everybody who uses this version is told, because it will go. Absent: it stays. */
  readonly deprecation?: string | undefined
  readonly columns: () => TableColumns
  /** Fields a field selector may name besides metadata.name and metadata.namespace, each with how it is read. */
  readonly selectableFields: ReadonlyMap<string, (object: KubernetesObject) => string>
  /** What OpenAPI documents say of it. Absent: that it is an object, and nothing of its fields. */
  readonly openApi?: OpenApi
}

export interface ResourceNames {
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly listKind: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
}

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch'

/** Where objects of a type are kept. */
export interface StoragePlace {
  readonly group: string
  readonly resource: string
  /** The apiVersion and kind in the stored bytes. */
  readonly apiVersion: string
  readonly kind: string
  /** Tells apart same-named resources of different origin. Empty for what the server itself defines. */
  readonly identity: string
  /** Whether values are encrypted at rest. */
  readonly encrypted: boolean
  /** The tag of values that can be served as they are; others are converted, pruned and given defaults when read. */
  readonly tag: number
  /** From the stored version to this one and back. Absent: the apiVersion and kind are rewritten, nothing else. */
  readonly fromStorage?: (object: KubernetesObject) => KubernetesObject
  readonly toStorage?: (object: KubernetesObject) => KubernetesObject
}

/** A further endpoint of an object. */
export interface Subresource {
  readonly name: string
  readonly verbs: readonly Verb[]
  /** The kind it speaks, when it is not the parent's: `autoscaling/v1 Scale`, `policy/v1 Eviction`. */
  readonly speaks?: { readonly group: string; readonly version: string; readonly kind: string }
  /** For `scale`: where replicas and selector lie in the parent, as JSON paths (`.spec.replicas`). */
  readonly scale?: ScalePaths
}

export interface ScalePaths {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  readonly labelSelectorPath?: string
  /** Whether `validate` checks the number of replicas; otherwise it is checked as part of the Scale. Default false. */
  readonly checkedByKind?: boolean
}

/** Between objects and bytes of another form than JSON. */
export interface ObjectCodec {
  encode(object: KubernetesObject): Uint8Array
  /** The object as it stands inside of a list: without what tells its kind. */
  encodeItem(object: KubernetesObject): Uint8Array
  /** Throws on bytes that are no such object, and on more than `maximum` messages, or entries of maps and lists. */
  decode(bytes: Uint8Array, maximum?: number): KubernetesObject
}

export interface Pruned {
  readonly object: KubernetesObject
  /** Paths of fields that were not known, in document order; as `spec.foo`, `spec.containers[0].foo`. */
  readonly unknownFields: readonly string[]
  /** What the writer may have meant by unknown fields, in words, by path. Default: nobody knows. */
  readonly hints?: ReadonlyMap<string, string>
}

/** How a kind behaves where kinds differ. */
export interface Strategy {
  /** What is wrong with a name (or with a generateName prefix), in Kubernetes' words; nothing when it is good. */
  readonly validateName: (name: string, prefix: boolean) => readonly string[]
  /** The object as it may be created: status emptied, generation set, derived fields filled. */
  readonly prepareForCreate: (object: KubernetesObject) => KubernetesObject
  /** The object as it may replace the old one: what the main endpoint can't change is taken from the old one. */
  readonly prepareForUpdate: (object: KubernetesObject, old: KubernetesObject) => KubernetesObject
  /** The same for the status endpoint: all but status (and what the kind lets through) is taken from the old one. */
  readonly prepareForStatusUpdate: (object: KubernetesObject, old: KubernetesObject) => KubernetesObject
  /** Whether a PUT without resourceVersion replaces whatever is there; otherwise it is 422. */
  readonly allowUnconditionalUpdate: boolean
  /** Whether a PUT to a name that is free creates the object; otherwise it is 404. */
  readonly allowCreateOnUpdate: boolean
  /** Whether DELETE answers with the object instead of a Status. */
  readonly returnsDeletedObject: boolean
  /** What happens to dependents when a delete does not say. Default Background. */
  readonly defaultPropagation?: 'Background' | 'Orphan'
  /** The object as it is kept once it was asked to go and something holds it. Default: as it is. */
  readonly prepareForDelete?: (object: KubernetesObject) => KubernetesObject
  /** Whether the kind itself holds an object that is to go, besides its finalizers. Default: never. */
  readonly isHeld?: (object: KubernetesObject) => boolean
  /** Whether objects may be created in a namespace that goes, because they help it go. Default false. */
  readonly belongsToTermination?: boolean
  /** Warnings for the writer of an object. */
  readonly warnings?: (object: KubernetesObject, old: KubernetesObject | undefined) => readonly string[]
}

/** How `kubectl get` shows objects. */
export interface TableColumns {
  readonly definitions: readonly TableColumnDefinition[]
  /** One cell for each definition. */
  readonly cells: (object: KubernetesObject, now: number) => readonly unknown[]
}

export interface TableColumnDefinition {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  /** Columns above 0 are shown by `-o wide` only. */
  readonly priority: number
}

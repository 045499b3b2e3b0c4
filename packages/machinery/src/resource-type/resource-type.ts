import type { KubernetesObject } from '../object/index.ts'
import type { TypeShape } from '../schema/index.ts'
import type { StatusCause } from '../status/index.ts'
import type { OpenApi } from './open-api.ts'
import type { View } from './view.ts'

/**
 * One served version of a kind. Built-in kinds, CRDs and provider kinds all compile to this interface, and every verb is
 * implemented once against it.
 *
 * Parts that are expensive to build are functions, which are called on first use and cache their result. No function
 * modifies an object that it receives; it returns the same object, or a new one that shares the unchanged parts.
 */
export interface ResourceType {
  readonly group: string
  readonly version: string
  readonly names: ResourceNames
  readonly namespaced: boolean
  readonly verbs: readonly Verb[]
  /** The storage location and version. Several versions of a kind, and both groups of Event, share one location. */
  readonly storage: StoragePlace
  /** Subresources by name: `status`, `scale`, `token`. */
  readonly subresources: ReadonlyMap<string, Subresource>
  /** Accepts strategic merge patches, besides JSON, merge and apply patches. False for CRDs, as in Kubernetes. */
  readonly strategicMerge: boolean
  /** The nesting and merge rules of the fields, for patches and server-side apply. */
  readonly shape: () => TypeShape
  /** Requires apiVersion and kind in request bodies, as for CRDs. Default false: they are implied by the endpoint. */
  readonly requiresKindInBody?: boolean
  /** The protobuf codec, for kinds that have a protobuf encoding. */
  readonly protobuf?: () => ObjectCodec
  /**
   * Removes unknown fields and returns their paths (`spec.foo`), for `fieldValidation`. Called once for every object that a
   * client sends, before defaulting.
   */
  readonly prune: (object: KubernetesObject) => Pruned
  /**
   * Keeps unknown fields in the object for `validate` to reject, so that a misspelt field is never dropped silently; `prune`
   * then only reports them. Default false.
   */
  readonly rejectsUnknownFields?: boolean
  /** Sets defaults; also applied to an object read from storage when its tag is not the current one. */
  readonly setDefaults: (object: KubernetesObject) => KubernetesObject
  /**
   * Validates an object after defaulting. `old` is set on update; `subresource` when the request addresses one. The verbs
   * validate names and metadata themselves.
   */
  readonly validate: (
    object: KubernetesObject,
    old: KubernetesObject | undefined,
    subresource?: string,
  ) => readonly StatusCause[]
  readonly strategy: Strategy
  /** The warning sent with every request for this version when it is deprecated. */
  readonly deprecation?: string | undefined
  readonly columns: () => TableColumns
  /** The fields that field selectors support besides metadata.name and metadata.namespace, each with its accessor. */
  readonly selectableFields: ReadonlyMap<string, (object: KubernetesObject) => string>
  /** Its OpenAPI definitions. Absent: documents describe an object with arbitrary fields. */
  readonly openApi?: OpenApi
  /** For read-only types whose objects are computed from objects of other types. Absent: its objects are stored. */
  readonly view?: View
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

/** The location and representation of a type's objects in storage. */
export interface StoragePlace {
  readonly group: string
  readonly resource: string
  /** The apiVersion and kind in the stored bytes. */
  readonly apiVersion: string
  readonly kind: string
  /** Distinguishes resources of the same name but different origin. Empty for the server's own kinds. */
  readonly identity: string
  /** Encrypts the values at rest. */
  readonly encrypted: boolean
  /** The tag of values that can be served unchanged; values with another tag are converted, pruned and defaulted on read. */
  readonly tag: number
  /** Convert between the stored version and this one. Absent: only apiVersion and kind are rewritten. */
  readonly fromStorage?: (object: KubernetesObject) => KubernetesObject
  readonly toStorage?: (object: KubernetesObject) => KubernetesObject
}

/** An additional endpoint of an object, such as `status`. */
export interface Subresource {
  readonly name: string
  readonly verbs: readonly Verb[]
  /** The kind of its request and response bodies when it is not the parent's: `autoscaling/v1 Scale`, `policy/v1 Eviction`. */
  readonly objectKind?: { readonly group: string; readonly version: string; readonly kind: string }
  /** For `scale`: the JSON paths of replicas and selector in the parent (`.spec.replicas`). */
  readonly scale?: ScalePaths
}

export interface ScalePaths {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  readonly labelSelectorPath?: string
  /** True when `validate` checks the number of replicas. Default false: it is checked as part of the Scale. */
  readonly checkedByKind?: boolean
}

/** Converts between objects and an encoding other than JSON. */
export interface ObjectCodec {
  encode(object: KubernetesObject): Uint8Array
  /** Encodes the object as an item of a list, without the envelope that carries its kind. */
  encodeItem(object: KubernetesObject): Uint8Array
  /** Throws when the bytes are not such an object, or on more than `maximum` messages, or entries of maps and lists. */
  decode(bytes: Uint8Array, maximum?: number): KubernetesObject
}

export interface Pruned {
  readonly object: KubernetesObject
  /** The paths of unknown fields in document order, such as `spec.foo` or `spec.containers[0].foo`. */
  readonly unknownFields: readonly string[]
  /** Suggestions for unknown fields ("did you mean …"), by path. Default: none. */
  readonly hints?: ReadonlyMap<string, string>
}

/** The behaviour in which kinds differ. */
export interface Strategy {
  /** Validates a name, or a generateName prefix, and returns Kubernetes' messages; empty when it is valid. */
  readonly validateName: (name: string, prefix: boolean) => readonly string[]
  /** Prepares an object for creation: clears status, sets the generation, computes derived fields. */
  readonly prepareForCreate: (object: KubernetesObject) => KubernetesObject
  /** Prepares an update: fields that the main endpoint cannot change, such as status, are copied from the old object. */
  readonly prepareForUpdate: (object: KubernetesObject, old: KubernetesObject) => KubernetesObject
  /** Prepares a status update: everything but status, and what the kind allows, is copied from the old object. */
  readonly prepareForStatusUpdate: (object: KubernetesObject, old: KubernetesObject) => KubernetesObject
  /** Accepts a PUT without resourceVersion, which overwrites the current object. Otherwise it is 422. */
  readonly allowUnconditionalUpdate: boolean
  /** Creates the object on a PUT to a name that does not exist. Otherwise it is 404. */
  readonly allowCreateOnUpdate: boolean
  /** Responds to DELETE with the object instead of a Status. */
  readonly returnsDeletedObject: boolean
  /** The propagation policy when the delete request has none. Default Background. */
  readonly defaultPropagation?: 'Background' | 'Orphan'
  /** Prepares an object whose deletion is blocked by finalizers or by `isHeld`. Default: unchanged. */
  readonly prepareForDelete?: (object: KubernetesObject) => KubernetesObject
  /** Returns true while the kind blocks the deletion of an object, in addition to finalizers. Default: never. */
  readonly isHeld?: (object: KubernetesObject) => boolean
  /** Allows creation in a namespace that is terminating, for objects that its termination needs. Default false. */
  readonly allowedInTerminatingNamespace?: boolean
  /** Returns the warnings for the client that writes an object; sent as Warning headers. */
  readonly warnings?: (object: KubernetesObject, old: KubernetesObject | undefined) => readonly string[]
}

/** The columns of `kubectl get`. */
export interface TableColumns {
  readonly definitions: readonly TableColumnDefinition[]
  /** Returns one cell for each definition; `now`, in milliseconds since 1970, is for ages. */
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

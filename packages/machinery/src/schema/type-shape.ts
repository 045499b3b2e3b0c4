/**
 * The part of a field's schema that patches and server-side apply need. Built-in kinds, CRDs and provider kinds derive it
 * from different sources. Shapes are navigated lazily: `field` may compile its result on the first call, but must return
 * the same object for the same name afterwards, because caches are keyed by identity. Shapes are immutable; a kind whose
 * schema changes gets a new shape.
 */
export type TypeShape = ScalarShape | StructShape | MapShape | ListShape | AnyShape

/** A leaf. Null is always allowed besides the type. */
export interface ScalarShape extends FieldTraits {
  readonly kind: 'scalar'
  /** The type of the value. Default `untyped`: any scalar (IntOrString, Quantity, times). */
  readonly type?: 'string' | 'number' | 'boolean' | 'untyped'
}

/** Traits common to objects, maps and lists. */
export interface ContainerTraits extends FieldTraits {
  /**
   * Treats a value of another type in place of the container as a leaf, such as a `${…}` expression for the whole list;
   * validation decides whether it is allowed. For a set this also covers items that are not scalars or that repeat.
   * Default: a value of another type is an error.
   */
  readonly orLeaf?: boolean
}

/** An object with known fields. */
export interface StructShape extends ContainerTraits {
  readonly kind: 'struct'
  /** Returns the shape of a declared field; undefined when the field is not declared. */
  readonly field: (name: string) => TypeShape | undefined
  /** The shape of undeclared fields (x-kubernetes-preserve-unknown-fields). Default: they are an error. */
  readonly unknownFields?: TypeShape
  /** `atomic`: owned and replaced as a whole. Default `granular`. */
  readonly structType?: 'granular' | 'atomic'
}

/** An object with arbitrary keys, such as labels. */
export interface MapShape extends ContainerTraits {
  readonly kind: 'map'
  readonly element: TypeShape
  /** `atomic`: owned and replaced as a whole. Default `granular`. */
  readonly mapType?: 'granular' | 'atomic'
}

/** A list: replaced as a whole (`atomic`), a set of scalars, or objects identified by key fields (`map`). */
export interface ListShape extends ContainerTraits {
  readonly kind: 'list'
  readonly element: TypeShape
  /** Default `atomic`. */
  readonly listType?: 'atomic' | 'set' | 'map'
  /** The fields that identify the items of a list of type `map`, in the schema's order. */
  readonly listMapKeys?: readonly string[]
  /** The default of a key field that an item omits, such as `{ protocol: 'TCP' }` for ports. */
  readonly listMapKeyDefaults?: Readonly<Record<string, unknown>>
}

/**
 * A value without a schema. Objects are owned field by field when `mapType` is granular (Kubernetes' deduced type), and as
 * a whole when it is atomic. Lists are always atomic.
 */
export interface AnyShape extends FieldTraits {
  readonly kind: 'any'
  /** Default `granular`. */
  readonly mapType?: 'granular' | 'atomic'
}

/** Settings for strategic merge patch, from x-kubernetes-patch-strategy and x-kubernetes-patch-merge-key. */
export interface FieldTraits {
  /** Default none: lists are replaced, objects merged. `merge` is for lists; `replace` and `retainKeys` for objects. */
  readonly patchStrategies?: readonly PatchStrategy[]
  /** The field that identifies the items of a merged list; a merged list without it contains scalars. */
  readonly patchMergeKey?: string
}

export type PatchStrategy = 'merge' | 'replace' | 'retainKeys'

/** A value without a schema, owned field by field. */
export const deducedShape: AnyShape = { kind: 'any', mapType: 'granular' }

/** A value without a schema, owned and replaced as a whole. */
export const atomicShape: AnyShape = { kind: 'any', mapType: 'atomic' }

/** A leaf of any scalar type. */
export const untypedScalarShape: ScalarShape = { kind: 'scalar', type: 'untyped' }

/**
 * The shape of `metadata`, the same for every kind, for kinds whose schema does not declare it.
 */
export const objectMetaShape: StructShape = structShape({
  name: { kind: 'scalar', type: 'string' },
  generateName: { kind: 'scalar', type: 'string' },
  namespace: { kind: 'scalar', type: 'string' },
  selfLink: { kind: 'scalar', type: 'string' },
  uid: { kind: 'scalar', type: 'string' },
  resourceVersion: { kind: 'scalar', type: 'string' },
  generation: { kind: 'scalar', type: 'number' },
  creationTimestamp: untypedScalarShape,
  deletionTimestamp: untypedScalarShape,
  deletionGracePeriodSeconds: { kind: 'scalar', type: 'number' },
  labels: { kind: 'map', element: { kind: 'scalar', type: 'string' } },
  annotations: { kind: 'map', element: { kind: 'scalar', type: 'string' } },
  finalizers: {
    kind: 'list',
    element: { kind: 'scalar', type: 'string' },
    listType: 'set',
    patchStrategies: ['merge'],
  },
  ownerReferences: {
    kind: 'list',
    listType: 'map',
    listMapKeys: ['uid'],
    patchStrategies: ['merge'],
    patchMergeKey: 'uid',
    element: structShape(
      {
        apiVersion: { kind: 'scalar', type: 'string' },
        kind: { kind: 'scalar', type: 'string' },
        name: { kind: 'scalar', type: 'string' },
        uid: { kind: 'scalar', type: 'string' },
        controller: { kind: 'scalar', type: 'boolean' },
        blockOwnerDeletion: { kind: 'scalar', type: 'boolean' },
      },
      { structType: 'atomic' },
    ),
  },
  managedFields: {
    kind: 'list',
    element: structShape({
      manager: { kind: 'scalar', type: 'string' },
      operation: { kind: 'scalar', type: 'string' },
      apiVersion: { kind: 'scalar', type: 'string' },
      time: untypedScalarShape,
      fieldsType: { kind: 'scalar', type: 'string' },
      fieldsV1: atomicShape,
      subresource: { kind: 'scalar', type: 'string' },
    }),
  },
})

/** Builds a struct from a table of its fields. */
export function structShape(
  fields: Readonly<Record<string, TypeShape>>,
  options: Omit<StructShape, 'kind' | 'field'> = {},
): StructShape {
  const table = new Map(Object.entries(fields))
  return { kind: 'struct', field: (name) => table.get(name), ...options }
}

/** An object of a kind without a schema: its metadata is known, everything else is deduced from the values. */
export const deducedObjectShape: StructShape = structShape(
  {
    apiVersion: { kind: 'scalar', type: 'string' },
    kind: { kind: 'scalar', type: 'string' },
    metadata: objectMetaShape,
  },
  { unknownFields: deducedShape },
)

/**
 * The shape of a field, as far as patches and server-side apply need to know it. Built-in kinds, CRDs and provider
 * kinds each provide it in their own way. Shapes are navigated lazily: `field` may compile what it returns on the first
 * call, but must return the same object for the same name afterwards, because caches are keyed by it. Shapes never
 * change; a kind whose schema changes gets a new shape.
 */
export type TypeShape = ScalarShape | StructShape | MapShape | ListShape | AnyShape

/** A leaf. A null is always allowed beside the type. */
export interface ScalarShape extends FieldTraits {
  readonly kind: 'scalar'
  /** What the value must be. Default `untyped`: any of them (IntOrString, Quantity, times). */
  readonly type?: 'string' | 'number' | 'boolean' | 'untyped'
}

/** What a container says of values that are none. */
export interface ContainerTraits extends FieldTraits {
  /**
   * Whether a value of another form in its place is a leaf: a text that stands for the whole, as an expression does.
   * What is wrong with such a value is for validation to say. For a set this holds, too, when its items are no scalars
   * or come twice. Default: another form is refused.
   */
  readonly orLeaf?: boolean
}

/** An object with known fields. */
export interface StructShape extends ContainerTraits {
  readonly kind: 'struct'
  /** The shape of a declared field; undefined when there is none of that name. */
  readonly field: (name: string) => TypeShape | undefined
  /** The shape of fields that are not declared (preserved unknown fields). Default: they are an error. */
  readonly unknownFields?: TypeShape
  /** `atomic`: owned and replaced as a whole. Default `granular`. */
  readonly structType?: 'granular' | 'atomic'
}

/** An object with keys of the user's choosing. */
export interface MapShape extends ContainerTraits {
  readonly kind: 'map'
  readonly element: TypeShape
  /** `atomic`: owned and replaced as a whole. Default `granular`. */
  readonly mapType?: 'granular' | 'atomic'
}

/** A list: replaced as a whole (`atomic`), a set of scalars, or objects told apart by key fields (`map`). */
export interface ListShape extends ContainerTraits {
  readonly kind: 'list'
  readonly element: TypeShape
  /** Default `atomic`. */
  readonly listType?: 'atomic' | 'set' | 'map'
  /** The fields that tell items of a list of type `map` apart, in the schema's order. */
  readonly listMapKeys?: readonly string[]
  /** The value of a key field that an item leaves out, as `{ protocol: 'TCP' }` for ports. */
  readonly listMapKeyDefaults?: Readonly<Record<string, unknown>>
}

/**
 * A value of any type: objects are taken field by field when `mapType` is granular (what Kubernetes deduces without a
 * schema), and as a whole when it is atomic. Lists are always atomic.
 */
export interface AnyShape extends FieldTraits {
  readonly kind: 'any'
  /** Default `granular`. */
  readonly mapType?: 'granular' | 'atomic'
}

/** What strategic merge patch knows of a field, from x-kubernetes-patch-strategy and x-kubernetes-patch-merge-key. */
export interface FieldTraits {
  /** Default none: lists are replaced, objects merged. `merge` is for lists; `replace` and `retainKeys` for objects. */
  readonly patchStrategies?: readonly PatchStrategy[]
  /** The field that tells items of a merged list apart; without it a merged list holds scalars. */
  readonly patchMergeKey?: string
}

export type PatchStrategy = 'merge' | 'replace' | 'retainKeys'

/** A value without a schema, objects field by field. */
export const deducedShape: AnyShape = { kind: 'any', mapType: 'granular' }

/** A value without a schema, owned and replaced as a whole. */
export const atomicShape: AnyShape = { kind: 'any', mapType: 'atomic' }

/** A leaf of any scalar type. */
export const untypedScalarShape: ScalarShape = { kind: 'scalar', type: 'untyped' }

/**
 * What an object is like inside `metadata`, the same for every kind. Kinds without a schema of their own for it use this.
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

/** A struct from a table of its fields. */
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

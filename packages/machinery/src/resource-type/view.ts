import type { KubernetesObject } from '../object/index.ts'

/**
 * Computes the objects of a read-only type, called rows, from stored objects of other types. Each stored object has at most
 * one row. A row has the namespace, labels and resourceVersion of its object.
 */
export interface View {
  /** The end of every group whose objects may have rows, such as `.example.com`. */
  readonly groupSuffix: string
  /** The groups of a logical cluster whose objects have rows, in byte order; those of all clusters for `*`. */
  readonly groups: (cluster: string) => readonly string[]
  /** Returns undefined when objects of the resource have no rows. */
  readonly rowsOf: (cluster: string, group: string, resource: string) => RowsOfResource | undefined
  /** Returns the object that a row of this name is computed from; undefined when no row can have the name. */
  readonly sourceOf: (cluster: string, name: string) => RowSource | undefined
  /** Aborts when rows get other names, or resources get or lose rows, so that clients have to list them again. */
  readonly endOf: (cluster: string) => AbortSignal
}

/** The rows of the objects of one resource in a logical cluster. */
export interface RowsOfResource {
  /** The selectable fields that have one value in all of these rows. */
  readonly fields: ReadonlyMap<string, string>
  readonly row: (object: KubernetesObject) => KubernetesObject
}

/** The resource and name of an object. Its namespace is that of the row. */
export interface RowSource {
  readonly group: string
  readonly resource: string
  readonly name: string
}

import type { Space } from '../storage/index.ts'

/**
 * Where objects are kept. The segments are (group, resource, identity, cluster, namespace, name): so a resource across
 * clusters, a resource in a cluster and a namespace's part of it are ranges, and a whole cluster is reached by skipping.
 */
export const objectSpace: Space = { name: 'objects', segments: 6, history: true, skip: 3 }

/** The same for resources whose values are encrypted at rest. */
export const secretSpace: Space = { name: 'secrets', segments: 6, history: true, skip: 3, encrypted: true }

/** Who belongs to whom: (cluster, owner's uid, group, resource, namespace, name of the dependent). */
export const ownerSpace: Space = { name: 'owners', segments: 6, history: false }

/** Who holds what only one can hold: (cluster, range, value). */
export const claimSpace: Space = { name: 'claims', segments: 3, history: false }

/** Every space this room needs of a store. */
export const resourceSpaces: readonly Space[] = [objectSpace, secretSpace, ownerSpace, claimSpace]

import type { Space } from '../storage/index.ts'

/**
 * Storage space of objects. The key segments are (group, resource, identity, cluster, namespace, name), so a resource
 * over all clusters, in one cluster and in one namespace are ranges. A whole cluster is read by skipping the first
 * three.
 */
export const objectSpace: Space = { name: 'objects', segments: 6, history: true, skip: 3 }

/** Same layout for resources whose values are encrypted at rest. */
export const secretSpace: Space = { name: 'secrets', segments: 6, history: true, skip: 3, encrypted: true }

/** Owner index: (cluster, owner's uid, group, resource, namespace, name of the dependent). */
export const ownerSpace: Space = { name: 'owners', segments: 6, history: false }

/** Claim index: (cluster, range, value). */
export const claimSpace: Space = { name: 'claims', segments: 3, history: false }

/** All spaces that a store for objects must be opened with. */
export const resourceSpaces: readonly Space[] = [objectSpace, secretSpace, ownerSpace, claimSpace]

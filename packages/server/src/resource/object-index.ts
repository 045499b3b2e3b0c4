import type { KubernetesObject } from '@hykube/machinery/object'
import type { Operation } from '../storage/index.ts'
import type { ObjectPlace, ResourcePlace } from './object-key.ts'

/**
 * What else must be written when an object changes, in the same commit: an index that follows from objects. Cheap, and
 * asked for every change of every resource.
 */
export type ObjectIndex = (
  resource: ResourcePlace,
  place: ObjectPlace,
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
) => readonly Operation[]

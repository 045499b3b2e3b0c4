import type { KubernetesObject } from '@hykube/machinery/object'
import type { Operation } from '../storage/index.ts'
import type { ObjectLocation, ResourceLocation } from './object-key.ts'

/**
 * Returns the index operations for a change, to be written in the same commit. Called for every change of every
 * resource, so it must be cheap.
 */
export type ObjectIndex = (
  resource: ResourceLocation,
  place: ObjectLocation,
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
) => readonly Operation[]

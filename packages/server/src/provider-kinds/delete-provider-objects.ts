import type { JsonObject } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { deleteObjects } from '../crd/index.ts'
import type { Estate } from '../estate/index.ts'
import { kindsInUse } from '../estate/index.ts'
import { hasRealResource, type ResourceRef } from '../model/index.ts'
import type { ObjectStore } from '../resource/index.ts'
import { isKeptFromDestruction } from './kept-from-destruction.ts'

/** The objects that keep a deleted Provider from being removed. */
export interface Remaining {
  /** The number of objects with real resources; 0 when only resources without an object remain. */
  readonly objects: number
  /** Objects with prevent_destroy, at most ten. */
  readonly kept: readonly string[]
}

/**
 * Deletes every object of a Provider's kinds. Objects without a real resource are removed at once; the others get a deletion timestamp, so
 * that the next plan destroys their resource. Objects with prevent_destroy are skipped. Returns what remains; undefined when nothing does.
 */
export async function deleteProviderObjects(
  objects: ObjectStore,
  estate: Estate,
  { cluster, provider }: { readonly cluster: string; readonly provider: string },
  now: number,
): Promise<Remaining | undefined> {
  const group = `${provider}.hykube.io`
  const kept: string[] = []
  const keeps = async (ref: ResourceRef, object: KubernetesObject): Promise<boolean> => {
    const managed = (await estate.states(ref)).filter((each) => hasRealResource(ref, each))
    if (!isKeptFromDestruction(managed, object.spec as JsonObject | undefined)) return false
    if (kept.length < mostNamed) kept.push(`${ref.resource}.${ref.group} ${ref.namespace}/${ref.name}`)
    return true
  }
  let left = 0
  for await (const kind of kindsInUse(objects, { cluster, namespace: undefined }))
    if (kind.group === group || kind.group === `data.${group}`)
      left += await deleteObjects(objects, kind, cluster, now, (place, object) => keeps({ ...kind, ...place }, object))
  if (left > 0) return { objects: left, kept }
  // Resources whose object was removed by force are destroyed by a plan too.
  for await (const _ of estate.statesOfGroup(group, cluster)) return { objects: 0, kept }
  return undefined
}

const mostNamed = 10

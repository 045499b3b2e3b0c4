import type { JsonObject } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { deleteObjects } from '../crd/index.ts'
import type { Estate } from '../estate/index.ts'
import { isOutside, type NodePlace } from '../plan/index.ts'
import type { ObjectStore } from '../resource/index.ts'
import { kindsInUse } from './count-objects.ts'
import { isKeptFromDestruction } from './kept-from-destruction.ts'

/** What is left of a Provider that shall go. */
export interface Remaining {
  /** How many objects exist outside; 0 when something exists whose object is gone. */
  readonly objects: number
  /** Some that must not be destroyed. */
  readonly kept: readonly string[]
}

/**
 * Asks every object of a Provider's kinds to go: those that do not exist outside go at once, the others are marked, so that the next plan
 * destroys them. What must not be destroyed is left alone. Gives what remains, nothing when nothing does.
 */
export async function emptyProvider(
  objects: ObjectStore,
  estate: Estate,
  { cluster, provider }: { readonly cluster: string; readonly provider: string },
  now: number,
): Promise<Remaining | undefined> {
  const group = `${provider}.hykube.io`
  const kept: string[] = []
  const keeps = async (node: NodePlace, object: KubernetesObject): Promise<boolean> => {
    const outside = (await estate.states(node)).filter((each) => isOutside(node, each))
    if (!isKeptFromDestruction(outside, object.spec as JsonObject | undefined)) return false
    if (kept.length < mostNamed) kept.push(`${node.resource}.${node.group} ${node.namespace}/${node.name}`)
    return true
  }
  let left = 0
  for await (const kind of kindsInUse(objects, { cluster, namespace: undefined }))
    if (kind.group === group || kind.group === `data.${group}`)
      left += await deleteObjects(objects, kind, cluster, now, (place, object) => keeps({ ...kind, ...place }, object))
  if (left > 0) return { objects: left, kept }
  // What exists outside without an object is destroyed by a plan too.
  for await (const _ of estate.statesOfGroup(group, cluster)) return { objects: 0, kept }
  return undefined
}

const mostNamed = 10

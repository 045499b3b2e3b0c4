import { BoundedMap } from '@hykube/machinery/base'
import type { KubernetesObject } from '@hykube/machinery/object'
import { notFound, type ResourceName, StatusError } from '@hykube/machinery/status'
import { decodeObject, type ObjectStore, objectKey, type SeenObject, type WatchHub } from '../resource/index.ts'

/**
 * Checks that a namespace accepts new objects. Its cache lags behind the store; therefore a create adds the namespace's
 * revision to the preconditions of its commit, which fails when the namespace changed.
 */
export class NamespaceGuard {
  readonly #objects: ObjectStore
  readonly #known = new BoundedMap<string, SeenNamespace>(10_000)

  constructor(objects: ObjectStore, hub: WatchHub) {
    this.#objects = objects
    hub.listen((changes) => {
      for (const { place } of changes)
        if (place.group === '' && place.resource === 'namespaces') this.#known.delete(keyOf(place.cluster, place.name))
    })
  }

  /**
   * Returns the namespace as a precondition for the commit of a new object. Throws 404 when it does not exist, and 403
   * while it terminates unless `mayTerminate`.
   */
  async forCreation(
    cluster: string,
    namespace: string,
    of: ResourceName,
    name: string,
    mayTerminate = false,
  ): Promise<SeenObject> {
    const seen = this.#known.get(keyOf(cluster, namespace)) ?? (await this.#look(cluster, namespace))
    if (seen === undefined) throw notFound(namespaces, namespace)
    if (seen.terminating && !mayTerminate) throw terminating(namespace, of, name)
    return seen
  }

  /** Drops a cached namespace after its precondition failed. */
  forget(cluster: string, namespace: string): void {
    this.#known.delete(keyOf(cluster, namespace))
  }

  async #look(cluster: string, namespace: string): Promise<SeenNamespace | undefined> {
    const place = { cluster, namespace: '', name: namespace }
    const stored = await this.#objects.get(namespaces, place)
    if (stored === undefined) return undefined
    const seen = {
      key: objectKey(namespaces, place),
      revision: stored.revision,
      terminating: isTerminating(decodeObject(stored.bytes)),
    }
    this.#known.set(keyOf(cluster, namespace), seen)
    return seen
  }
}

interface SeenNamespace extends SeenObject {
  readonly terminating: boolean
}

const namespaces = { group: '', resource: 'namespaces' }

function isTerminating({ metadata, status }: KubernetesObject): boolean {
  return metadata?.deletionTimestamp != null || (status as { phase?: string } | undefined)?.phase === 'Terminating'
}

function terminating(namespace: string, of: ResourceName, name: string): StatusError {
  const qualified = of.group === '' ? of.resource : `${of.resource}.${of.group}`
  return new StatusError(
    'Forbidden',
    `${qualified} ${JSON.stringify(name)} is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
    {
      details: {
        name,
        ...(of.group === '' ? {} : { group: of.group }),
        kind: of.resource,
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: `namespace ${namespace} is being terminated`,
            field: 'metadata.namespace',
          },
        ],
      },
    },
  )
}

function keyOf(cluster: string, namespace: string): string {
  return `${cluster}/${namespace}`
}

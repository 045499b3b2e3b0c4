import type { KubernetesObject } from '@hykube/machinery/object'
import type { Labels } from '@hykube/machinery/selector'
import { selectsLabels } from '@hykube/machinery/selector'
import { comparePrecedence } from '@hykube/machinery/sync-api'
import {
  decodeObject,
  type ObjectLocation,
  type ObjectStore,
  type ObservedChange,
  objectFromKey,
  objectRange,
  type WatchHub,
} from '../../resource/index.ts'
import { clusterPolicyResource, policyResource } from './policy-types.ts'
import { type PolicySettings, settingsOf } from './settings.ts'

/** A policy as it is stored. */
export interface StoredPolicy {
  readonly resource: typeof policyResource | typeof clusterPolicyResource
  readonly location: ObjectLocation
  readonly object: KubernetesObject
}

/** A stored policy with its parsed spec. */
export interface Policy extends StoredPolicy {
  readonly settings: PolicySettings
}

/** An object of a provider's kind, as far as policies look at it. */
export interface SyncedObject {
  readonly cluster: string
  readonly namespace: string
  readonly type: string
  readonly labels: Labels | undefined
}

/** Changes that the book reports. */
export interface PolicyBookPorts {
  /** Called after each change of a policy. */
  readonly onChange: () => void
  /** Called for each policy whose stored spec is not valid. */
  readonly onInvalid: (policy: StoredPolicy, problem: string) => void
}

/** The policies of every logical cluster, in the order of their precedence. They are few, so they are kept in memory. */
export class PolicyBook {
  readonly #policies = new Map<string, Policy>()
  readonly #ports: PolicyBookPorts
  readonly #stopListening: () => void

  private constructor(hub: WatchHub, ports: PolicyBookPorts) {
    this.#ports = ports
    this.#stopListening = hub.listen((changes) => this.#follow(changes))
  }

  /** Reads all policies and follows their changes. */
  static async open(objects: ObjectStore, hub: WatchHub, ports: PolicyBookPorts): Promise<PolicyBook> {
    const book = new PolicyBook(hub, ports)
    for (const resource of [policyResource, clusterPolicyResource]) {
      const range = objectRange(resource)
      for await (const entries of objects.pages(range)) {
        for (const { key, value } of entries) book.#put(resource, objectFromKey(key), decodeObject(value))
      }
    }
    return book
  }

  close(): void {
    this.#stopListening()
  }

  get all(): Iterable<Policy> {
    return this.#policies.values()
  }

  /** The policies that match an object: those of its namespace before those of the cluster, older ones first. */
  matching(object: SyncedObject, namespaceLabels: Labels | undefined): Policy[] {
    return [...this.#policies.values()]
      .filter((policy) => matches(policy, object, namespaceLabels))
      .sort((a, b) => comparePrecedence(a.object, b.object))
  }

  #follow(changes: readonly ObservedChange[]): void {
    let isChanged = false
    for (const change of changes) {
      const { group, resource: plural, ...location } = change.place
      const resource = [policyResource, clusterPolicyResource].find((each) => each.resource === plural)
      if (group !== 'hykube.io' || resource === undefined) continue
      isChanged = true
      if (change.kind === 'put') this.#put(resource, location, change.object)
      else this.#policies.delete(keyOf(resource, location))
    }
    if (isChanged) this.#ports.onChange()
  }

  // A spec that was valid when it was written may not be now, for instance when a time zone was renamed: such a policy does not act.
  #put(resource: Policy['resource'], location: ObjectLocation, object: KubernetesObject): void {
    const { cluster, namespace, name } = location
    const key = keyOf(resource, location)
    const stored = { resource, location: { cluster, namespace, name }, object }
    try {
      this.#policies.set(key, { ...stored, settings: settingsOf(object) })
    } catch (error) {
      this.#policies.delete(key)
      this.#ports.onInvalid(stored, (error as Error).message)
    }
  }
}

function keyOf({ resource }: Policy['resource'], { cluster, namespace, name }: ObjectLocation): string {
  return [resource, cluster, namespace, name].join('/')
}

function matches({ location, settings }: Policy, object: SyncedObject, namespaceLabels: Labels | undefined): boolean {
  return (
    location.cluster === object.cluster &&
    (location.namespace === ''
      ? selectsLabels(settings.namespaceSelector, namespaceLabels)
      : location.namespace === object.namespace) &&
    (settings.kinds.size === 0 || settings.kinds.has(object.type)) &&
    selectsLabels(settings.selector, object.labels)
  )
}

import { systemClock } from '@hykube/machinery/base'
import { isJsonObject, type JsonObject } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { outputsNow } from '../apply/index.ts'
import {
  type Estate,
  edgeRange,
  importAnnotation,
  importIdentityAnnotation,
  resolvedProvidersOf,
  stateRangeOfKind,
} from '../estate/index.ts'
import {
  AuthorizedUses,
  type ConfiguredTarget,
  Inputs,
  type InstanceKey,
  type InstanceStates,
  type KnownBatch,
  type NodeFacts,
  type NodeKind,
  type NodePlace,
  nodeToText,
  type PlannerPorts,
  type ProviderAccess,
  type ProviderProblem,
  resolveReference,
  type StateRecord,
} from '../plan/index.ts'
import { decodeObject, type ObjectStore } from '../resource/index.ts'
import { IdHolders, idOf } from './adopt/id-holders.ts'
import type { ServedKinds } from './kind-catalogue.ts'
import { noteSource, sourceFrom } from './node-source.ts'
import type { EngineProviders } from './providers.ts'
import { readKey } from './read-key.ts'

/** What planning asks, answered from the store and by providers. */
export class EstateReader implements PlannerPorts {
  readonly kinds: ServedKinds
  readonly hash: (text: string) => string
  readonly #objects: ObjectStore
  readonly #estate: Estate
  readonly #providers: EngineProviders
  readonly #holders: IdHolders
  /** The same object as long as nothing changed, so that what was made of its specification is made once. */
  readonly #nodes = new Map<string, { readonly revision: number; readonly facts: NodeFacts }>()

  constructor(
    kinds: ServedKinds,
    objects: ObjectStore,
    estate: Estate,
    providers: EngineProviders,
    hash: (text: string) => string,
  ) {
    this.hash = hash
    this.kinds = kinds
    this.#objects = objects
    this.#estate = estate
    this.#providers = providers
    const provider = (place: NodePlace, kind: NodeKind, configuration: string) =>
      this.provider(place, kind, configuration)
    this.#holders = new IdHolders({ objects, estate, kinds, clock: systemClock, provider })
  }

  managedBy(place: NodePlace, kind: NodeKind, configuration: string, id: string): Promise<NodePlace | undefined> {
    return this.#holders.other({ place, kind, configuration }, id)
  }

  async isManagedElsewhere(
    place: NodePlace,
    kind: NodeKind,
    configuration: string,
    record: StateRecord,
    use: 'ask' | 'take' = 'ask',
  ): Promise<boolean> {
    const id = idOf(record)
    if (id === undefined) return false
    const wanted = { place, kind, configuration }
    const other = use === 'take' ? this.#holders.otherOrTake(wanted, id) : this.#holders.other(wanted, id)
    return (await other) !== undefined
  }

  async node(place: NodePlace): Promise<NodeFacts | undefined> {
    const kind = this.kinds.at(place.cluster, place.group, place.resource)
    if (kind === undefined) return undefined
    const stored = await this.#objects.get(place, place)
    if (stored === undefined) return undefined
    const text = `${place.cluster}/${nodeToText(place)}`
    const known = this.#nodes.get(text)
    if (known !== undefined && known.revision === stored.revision && known.facts.kind === kind) return known.facts
    const source = sourceFrom(stored)
    const facts = nodeFacts(place, kind, source.object)
    noteSource(facts, source)
    if (this.#nodes.size >= mostRemembered) this.#nodes.clear()
    this.#nodes.set(text, { revision: stored.revision, facts })
    return facts
  }

  /** A ProviderConfig, undefined when there is none. */
  async configuration(place: NodePlace): Promise<KubernetesObject | undefined> {
    const stored = await this.#objects.get(place, place)
    return stored === undefined ? undefined : decodeObject(stored.bytes)
  }

  states(place: NodePlace): Promise<readonly InstanceStates[]> {
    return this.#estate.states(place)
  }

  instances(place: NodePlace, after: { readonly key: InstanceKey } | undefined, limit: number) {
    return this.#estate.instances(place, after, limit)
  }

  countStates(cluster: string, { group, resource }: NodeKind): Promise<number> {
    return this.#estate.count(stateRangeOfKind(group, resource, cluster))
  }

  // While a plan changes some of them, nothing is said of all.
  async batch(place: NodePlace): Promise<KnownBatch> {
    const known = await this.#estate.batch(place)
    if (known === undefined) return {}
    const { settled, plan, revision } = known
    return { revision, ...(plan === undefined && settled !== undefined && { settled }) }
  }

  async isReferredTo(target: NodePlace): Promise<boolean> {
    return (await this.#estate.count(edgeRange('desired', target))) > 0
  }

  state(place: NodePlace, instance: InstanceKey): Promise<InstanceStates | undefined> {
    return this.#estate.state(place, instance)
  }

  openCalls(place: NodePlace): Promise<ReadonlyMap<InstanceKey, string>> {
    return this.#estate.openCalls(place)
  }

  // Whoever uses a configuration that refers to something depends on it.
  async *dependents(target: NodePlace, attribute: string | undefined): AsyncGenerator<NodePlace> {
    for await (const dependent of this.#estate.dependents('desired', target, attribute))
      if (dependent.group === 'hykube.io') yield* this.#estate.dependents('desired', dependent)
      else yield dependent
  }

  madeFrom(target: NodePlace): AsyncIterable<NodePlace> {
    return this.#estate.dependents('applied', target)
  }

  async isForcedToCreateFirst(place: NodePlace): Promise<boolean> {
    const seen = new Set([nodeToText(place)])
    const open = [place]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for await (const dependent of this.dependents(at, undefined)) {
        if (seen.has(nodeToText(dependent))) continue
        seen.add(nodeToText(dependent))
        const lifecycle = (await this.node(dependent))?.spec.lifecycle
        if (isJsonObject(lifecycle) && lifecycle.create_before_destroy === true) return true
        open.push(dependent)
      }
    }
    return false
  }

  keyValue(kind: 'secret' | 'configmap', place: NodePlace, key: string): Promise<string | undefined> {
    return readKey(this.#objects, kind, place, key)
  }

  async configuredFrom(place: NodePlace, kind: NodeKind, configuration: string): Promise<readonly ConfiguredTarget[]> {
    const uses = await this.#providers.references(place, kind, configuration)
    if (uses.length === 0) return []
    const at = configPlace(place, configuration)
    const referring = { place: at, kind, resolved: resolvedProvidersOf(await this.configuration(at)) }
    return uses.flatMap((use) => {
      const target = resolveReference(referring, use.reference, this.kinds)
      return target === undefined || 'problem' in target || target.kind === undefined ? [] : [{ ...target, use }]
    })
  }

  sensitiveUses(place: NodePlace): Promise<ReadonlySet<string>> {
    return this.#estate.sensitiveUses(place)
  }

  async provider(
    place: NodePlace,
    kind: NodeKind,
    configuration: string,
    inputs?: Inputs,
  ): Promise<ProviderAccess | ProviderProblem> {
    const given = inputs ?? (await this.#inputsNow(place, kind, configuration))
    if (given !== undefined && 'problem' in given) return given
    return this.#providers.access(place, kind, configuration, given)
  }

  async #inputsNow(
    place: NodePlace,
    kind: NodeKind,
    configuration: string,
  ): Promise<Inputs | ProviderProblem | undefined> {
    const targets = await this.configuredFrom(place, kind, configuration)
    if (targets.length === 0) return undefined
    const inputs = new Inputs()
    const uses = new AuthorizedUses(this, configPlace(place, configuration))
    for (const target of targets) {
      const { reference, use } = target
      const outputs = reference.kind === 'resource' ? await outputsNow(this, target, reference, undefined) : undefined
      if (reference.kind !== 'resource' || outputs === undefined) continue
      const problem = await uses.problem(use, outputs)
      if (problem !== undefined) return { problem }
      inputs.takeOutputs(reference, outputs)
    }
    return inputs
  }

  failureText(error: unknown): string | undefined {
    return this.#providers.isFailure(error) ? this.#providers.describe(error) : undefined
  }
}

const mostRemembered = 2000

/** Where a configuration of this name is, for an object. */
export function configPlace({ cluster, namespace }: NodePlace, name: string): NodePlace {
  return { cluster, group: 'hykube.io', resource: 'providerconfigs', namespace, name }
}

/** An object as planning sees it. */
export function nodeFacts(place: NodePlace, kind: NodeKind, object: KubernetesObject): NodeFacts {
  const { metadata = {}, spec } = object
  const importId = metadata.annotations?.[importAnnotation]
  const importIdentity = metadata.annotations?.[importIdentityAnnotation]
  return {
    place,
    kind,
    uid: metadata.uid ?? '',
    generation: metadata.generation ?? 0,
    labels: metadata.labels ?? {},
    spec: (spec ?? {}) as JsonObject,
    resolved: resolvedProvidersOf(object),
    deleting: metadata.deletionTimestamp != null,
    ...(importId !== undefined && { importId }),
    ...(importIdentity !== undefined && { importIdentity }),
  }
}

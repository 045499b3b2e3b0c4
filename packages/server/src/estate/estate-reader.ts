import { BoundedMap, systemClock } from '@hykube/machinery/base'
import { isJsonObject, type JsonObject } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { ConfiguredProviders } from '../evaluation/index.ts'
import {
  AuthorizedUses,
  type ConfiguredTarget,
  currentOutputs,
  Inputs,
  type ProviderAccess,
  type ProviderProblem,
  resolveReference,
} from '../evaluation/index.ts'
import {
  type InstanceKey,
  type InstanceStates,
  type KindCatalogue,
  type KnownBatch,
  type ResourceKind,
  type ResourceObject,
  type ResourceRef,
  refToText,
  type StateRecord,
} from '../model/index.ts'
import { decodeObject, type ObjectStore } from '../resource/index.ts'
import type { Estate } from './estate.ts'
import { IdHolders, idOf } from './id-holders.ts'
import { noteSource, sourceFrom } from './object-source.ts'
import { readKey } from './read-key.ts'
import { edgeRange } from './records/edges.ts'
import { resolvedProvidersOf } from './records/resolved-providers.ts'
import { stateRangeOfKind } from './records/state.ts'
import { importAnnotation, importIdentityAnnotation } from './write-index.ts'

/** Implements the planner's ports with the store and the configured providers. */
export class EstateReader {
  readonly kinds: KindCatalogue
  readonly hash: (text: string) => string
  readonly #objects: ObjectStore
  readonly #estate: Estate
  readonly #providers: ConfiguredProviders
  readonly #holders: IdHolders
  /** Returns the same ResourceObject while its revision doesn't change, so that caches keyed by its spec hit. */
  readonly #decoded = new BoundedMap<string, { readonly revision: number; readonly facts: ResourceObject }>(
    mostRemembered,
  )

  constructor(
    kinds: KindCatalogue,
    objects: ObjectStore,
    estate: Estate,
    providers: ConfiguredProviders,
    hash: (text: string) => string,
  ) {
    this.hash = hash
    this.kinds = kinds
    this.#objects = objects
    this.#estate = estate
    this.#providers = providers
    const provider = (ref: ResourceRef, kind: ResourceKind, configuration: string) =>
      this.provider(ref, kind, configuration)
    this.#holders = new IdHolders({ objects, estate, kinds, clock: systemClock, provider })
  }

  managedBy(
    ref: ResourceRef,
    kind: ResourceKind,
    configuration: string,
    id: string,
    isAccepted?: (holder: ResourceRef) => boolean,
  ): Promise<ResourceRef | undefined> {
    return this.#holders.other({ ref, kind, configuration }, id, isAccepted)
  }

  importedBy(
    ref: ResourceRef,
    kind: ResourceKind,
    configuration: string,
    id: string,
  ): Promise<ResourceRef | undefined> {
    return this.#holders.importer({ ref, kind, configuration }, id)
  }

  async isManagedElsewhere(
    ref: ResourceRef,
    kind: ResourceKind,
    configuration: string,
    record: StateRecord,
    use: 'ask' | 'take' = 'ask',
  ): Promise<boolean> {
    const id = idOf(record)
    if (id === undefined) return false
    const wanted = { ref, kind, configuration }
    const other = use === 'take' ? this.#holders.otherOrTake(wanted, id) : this.#holders.other(wanted, id)
    return (await other) !== undefined
  }

  async object(ref: ResourceRef): Promise<ResourceObject | undefined> {
    const kind = this.kinds.at(ref.cluster, ref.group, ref.resource)
    if (kind === undefined) return undefined
    const stored = await this.#objects.get(ref, ref)
    if (stored === undefined) return undefined
    const text = `${ref.cluster}/${refToText(ref)}`
    const known = this.#decoded.get(text)
    if (known !== undefined && known.revision === stored.revision && known.facts.kind === kind) return known.facts
    const source = sourceFrom(stored)
    const facts = resourceObject(ref, kind, source.object)
    noteSource(facts, source)
    this.#decoded.set(text, { revision: stored.revision, facts })
    return facts
  }

  /** Reads a ProviderConfig; undefined when it doesn't exist. */
  async configuration(ref: ResourceRef): Promise<KubernetesObject | undefined> {
    const stored = await this.#objects.get(ref, ref)
    return stored === undefined ? undefined : decodeObject(stored.bytes)
  }

  states(ref: ResourceRef): Promise<readonly InstanceStates[]> {
    return this.#estate.states(ref)
  }

  instances(ref: ResourceRef, after: { readonly key: InstanceKey } | undefined, limit: number) {
    return this.#estate.instances(ref, after, limit)
  }

  countStates(cluster: string, { group, resource }: ResourceKind): Promise<number> {
    return this.#estate.count(stateRangeOfKind(group, resource, cluster))
  }

  // A settlement doesn't count while a plan changes instances of the batch.
  async batch(ref: ResourceRef): Promise<KnownBatch> {
    const known = await this.#estate.batch(ref)
    if (known === undefined) return {}
    const { settled, plan, revision } = known
    return { revision, ...(plan === undefined && settled !== undefined && { settled }) }
  }

  async isReferredTo(target: ResourceRef): Promise<boolean> {
    return (await this.#estate.count(edgeRange('desired', target))) > 0
  }

  state(ref: ResourceRef, instance: InstanceKey): Promise<InstanceStates | undefined> {
    return this.#estate.state(ref, instance)
  }

  openCalls(ref: ResourceRef): Promise<ReadonlyMap<InstanceKey, string>> {
    return this.#estate.openCalls(ref)
  }

  // Objects that use a ProviderConfig also depend on the objects that the ProviderConfig refers to.
  async *dependents(target: ResourceRef, attribute: string | undefined): AsyncGenerator<ResourceRef> {
    for await (const dependent of this.#estate.dependents('desired', target, attribute))
      if (dependent.group === 'hykube.io') yield* this.#estate.dependents('desired', dependent)
      else yield dependent
  }

  madeFrom(target: ResourceRef): AsyncIterable<ResourceRef> {
    return this.#estate.dependents('applied', target)
  }

  async isForcedToCreateFirst(ref: ResourceRef): Promise<boolean> {
    const seen = new Set([refToText(ref)])
    const open = [ref]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for await (const dependent of this.dependents(at, undefined)) {
        if (seen.has(refToText(dependent))) continue
        seen.add(refToText(dependent))
        const lifecycle = (await this.object(dependent))?.spec.lifecycle
        if (isJsonObject(lifecycle) && lifecycle.create_before_destroy === true) return true
        open.push(dependent)
      }
    }
    return false
  }

  keyValue(kind: 'secret' | 'configmap', ref: ResourceRef, key: string): Promise<string | undefined> {
    return readKey(this.#objects, kind, ref, key)
  }

  async configuredFrom(
    ref: ResourceRef,
    kind: ResourceKind,
    configuration: string,
  ): Promise<readonly ConfiguredTarget[]> {
    const uses = await this.#providers.references(ref, kind, configuration)
    if (uses.length === 0) return []
    const at = configRef(ref, configuration)
    const referring = { ref: at, kind, resolved: resolvedProvidersOf(await this.configuration(at)) }
    return uses.flatMap((use) => {
      const target = resolveReference(referring, use.reference, this.kinds)
      return target === undefined || 'problem' in target || target.kind === undefined ? [] : [{ ...target, use }]
    })
  }

  sensitiveUses(ref: ResourceRef): Promise<ReadonlySet<string>> {
    return this.#estate.sensitiveUses(ref)
  }

  async provider(
    ref: ResourceRef,
    kind: ResourceKind,
    configuration: string,
    inputs?: Inputs,
  ): Promise<ProviderAccess | ProviderProblem> {
    const given = inputs ?? (await this.#currentInputs(ref, kind, configuration))
    if (given !== undefined && 'problem' in given) return given
    return this.#providers.access(ref, kind, configuration, given)
  }

  async #currentInputs(
    ref: ResourceRef,
    kind: ResourceKind,
    configuration: string,
  ): Promise<Inputs | ProviderProblem | undefined> {
    const targets = await this.configuredFrom(ref, kind, configuration)
    if (targets.length === 0) return undefined
    const inputs = new Inputs()
    const uses = new AuthorizedUses(this, configRef(ref, configuration))
    for (const target of targets) {
      const { reference, use } = target
      const outputs =
        reference.kind === 'resource' ? await currentOutputs(this, target, reference, undefined) : undefined
      if (reference.kind !== 'resource' || outputs === undefined) continue
      const problem = await uses.problem(use, outputs)
      if (problem !== undefined) return { problem }
      inputs.addOutputs(reference, outputs)
    }
    return inputs
  }

  failureText(error: unknown): string | undefined {
    return this.#providers.isFailure(error) ? this.#providers.describe(error) : undefined
  }
}

// Decoded objects in memory. The cache is cleared when it is full.
const mostRemembered = 2000

/** Returns the reference of a ProviderConfig in the namespace of an object. */
export function configRef({ cluster, namespace }: ResourceRef, name: string): ResourceRef {
  return { cluster, group: 'hykube.io', resource: 'providerconfigs', namespace, name }
}

/** Decodes an object for planning. */
export function resourceObject(ref: ResourceRef, kind: ResourceKind, object: KubernetesObject): ResourceObject {
  const { metadata = {}, spec } = object
  const importId = metadata.annotations?.[importAnnotation]
  const importIdentity = metadata.annotations?.[importIdentityAnnotation]
  return {
    ref,
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

import type { JsonObject } from '@hykube/machinery/json'
import { type KubernetesObject, withFinalizer } from '@hykube/machinery/object'
import { conflict } from '@hykube/machinery/status'
import { impliedType, valueFromJson } from '@hykube/tfplugin/value'
import { type Edge, edgeOperations, putMark, putState, resolvedProvidersOf, type Slot } from '../../estate/index.ts'
import { referencesOf } from '../../expression/index.ts'
import {
  type InstanceKey,
  type InstanceStates,
  isGone,
  managedElsewhere,
  type NodeKind,
  type NodePlace,
  nodeFromText,
  nodesOf,
  publicAttributes,
  repetitionOf,
  resolveReferences,
  type StateFacts,
  stateToRecord,
  storedInstance,
  wholeObject,
} from '../../plan/index.ts'
import { managedFinalizer } from '../../provider/index.ts'
import type { Operation } from '../../storage/index.ts'
import type { EngineParts } from '../engine-parts.ts'
import { withStatus } from '../object-status.ts'
import { idOf } from './id-holders.ts'
import { type MadeSpec, makeSpec } from './make-spec.ts'
import { readInstances, type TakenInstance } from './read-instances.ts'
import type { StateImport } from './state-import.ts'

/** What exists outside and shall belong to an object, with everything that must be written for it. */
export interface Adoption {
  /** What was made of the state; absent for an object that has a specification already. */
  readonly made?: MadeSpec
  /** The object with what only the server says of it: that it is held, and how it stands. */
  complete(object: KubernetesObject): KubernetesObject
  /** Writes for the commit that stores the object. */
  operations(object: KubernetesObject): Operation[]
}

/** Reads a state and makes of it what an object needs. `own` is the specification of an object that has one. */
export async function adoptState(
  parts: EngineParts,
  place: NodePlace,
  kind: NodeKind,
  wanted: StateImport,
  known: readonly InstanceStates[],
  own: JsonObject | undefined,
  secret: string | undefined,
  mayDelete: (holder: NodePlace) => boolean,
): Promise<Adoption> {
  const configuration = typeof own?.provider === 'string' ? own.provider : wanted.configuration
  const access = await parts.reader.provider(place, kind, configuration)
  if ('problem' in access) throw conflict({ group: kind.group, resource: kind.resource }, place.name, access.problem)
  return access.use(async (session) => {
    const taken = await readInstances(place, kind, wanted.instances, access, session)
    await refuseManaged(parts, place, kind, configuration, taken, mayDelete)
    const all = [...known.flatMap((each) => takenFrom(kind, each)), ...taken]
    refuseDoubles(place, kind, all)
    const made = own === undefined ? await makeSpec(place, kind, all, wanted, access, session, secret) : undefined
    const keys = made?.keys ?? (repetitionOf(own!) === 'for_each' ? 'texts' : 'same')
    const facts = { type: kind.type, configuration, package: access.package, fingerprint: '' }
    return adoption(parts, place, kind, all, known, { keys, facts, ...(made !== undefined && { made }) })
  })
}

interface AdoptionFacts {
  readonly made?: MadeSpec
  readonly keys: MadeSpec['keys']
  readonly facts: Omit<StateFacts, 'uid' | 'dependencies'>
}

function adoption(
  parts: EngineParts,
  place: NodePlace,
  kind: NodeKind,
  instances: readonly TakenInstance[],
  known: readonly InstanceStates[],
  { made, keys, facts }: AdoptionFacts,
): Adoption {
  const nameOf = (key: InstanceKey) => (keys === 'texts' && key !== undefined ? String(key) : key)
  return {
    ...(made !== undefined && { made }),
    complete: (object) => completed(object, kind, instances, made, parts.clock.now()),
    operations: (object) => {
      const dependencies = dependenciesOf(place, kind, object, parts)
      const uid = object.metadata?.uid ?? ''
      const records = instances.map(({ key, deposed, createBeforeDestroy, state, record }): Operation => {
        const slot: Slot = deposed === undefined ? 'current' : `deposed/${deposed}`
        const own = { ...facts, uid, dependencies, ...(createBeforeDestroy && { createBeforeDestroy: true as const }) }
        const kept =
          record === undefined
            ? stateToRecord(state, kind.schema, kind.identity, own)
            : { ...record, uid, dependencies, fingerprint: '' }
        return putState({ node: place, instance: nameOf(key), slot }, kept)
      })
      const renamed = known.filter(({ instance }) => nameOf(instance) !== instance)
      const edges = dependencies.map(
        (text): Edge => ({ target: nodeFromText(place.cluster, text), attribute: wholeObject, dependent: place }),
      )
      return [
        ...renamed.flatMap((each) => forgotten(place, each)),
        ...records,
        ...edgeOperations('applied', [], edges),
        putMark({ node: place, kind: 'unsettled' }),
      ]
    },
  }
}

function forgotten(node: NodePlace, { instance, deposed }: InstanceStates): Operation[] {
  const slots: Slot[] = ['current', ...deposed.map(({ key }): Slot => `deposed/${key}`)]
  return slots.map((slot) => putState({ node, instance, slot }, undefined))
}

function completed(
  object: KubernetesObject,
  kind: NodeKind,
  instances: readonly TakenInstance[],
  made: MadeSpec | undefined,
  now: number,
): KubernetesObject {
  const { metadata = {} } = object
  const held = { ...metadata, finalizers: [...withFinalizer(metadata.finalizers, managedFinalizer)] }
  const current = instances.filter(({ deposed }) => deposed === undefined)
  const ready = current.filter(({ state }) => state.status === 'ready').length
  const [only] = current
  const isBatch = only === undefined || only.key !== undefined
  const found = { reason: 'Imported', message: 'it was taken over from a state file' }
  const isQuiet = made?.isQuiet === true && ready === current.length
  const applied = isQuiet
    ? { status: 'True' as const, ...found }
    : { status: 'False' as const, reason: 'Imported', message: 'a plan shows what differs' }
  return withStatus(
    { ...object, metadata: held },
    {
      ...(isBatch
        ? { instances: { total: current.length, ready } }
        : { attributes: publicAttributes(kind.schema, only.state.value, only.state.sensitivePaths) }),
      ...(isQuiet && { observedGeneration: metadata.generation ?? 1 }),
      conditions: [
        { type: 'Ready', status: ready === current.length ? 'True' : 'False', ...found },
        { type: 'Applied', ...applied },
      ],
    },
    now,
  )
}

function dependenciesOf(place: NodePlace, kind: NodeKind, object: KubernetesObject, { kinds }: EngineParts) {
  const references = referencesOf(undefined, (object.spec ?? {}) as JsonObject).references.map(
    ({ reference }) => reference,
  )
  const resolved = resolvedProvidersOf(object)
  const { targets } = resolveReferences({ place, kind, resolved }, references, kinds)
  return nodesOf(targets.filter((target) => target.kind !== undefined))
}

function takenFrom(kind: NodeKind, { instance, current, deposed }: InstanceStates): TakenInstance[] {
  const slots = [{ key: undefined, known: current }, ...deposed.map((each) => ({ key: each.key, known: each }))]
  return slots.flatMap(({ key, known }) => {
    if (known === undefined || isGone(known.record)) return []
    const { private: bytes, schemaVersion, status, sensitivePaths } = storedInstance(known.record)
    const value = valueFromJson(known.record.attributes, impliedType(kind.schema.block))
    return {
      key: instance,
      createBeforeDestroy: known.record.createBeforeDestroy === true,
      state: { value, private: bytes, schemaVersion, status, sensitivePaths },
      record: known.record,
      ...(key !== undefined && { deposed: key }),
    }
  })
}

// Ids of types without a remote object (hashicorp/time, hashicorp/random) are not unique, so a state file may hold one id twice. A user
// who may delete the other object gains nothing by the second one; for anyone else it would be a way to take the resource over.
async function refuseManaged(
  { reader }: EngineParts,
  place: NodePlace,
  kind: NodeKind,
  configuration: string,
  taken: readonly TakenInstance[],
  mayDelete: (holder: NodePlace) => boolean,
): Promise<void> {
  for (const { state } of taken) {
    const id = idOf(stateToRecord(state, kind.schema, kind.identity, { ...noFacts, type: kind.type, configuration }))
    const holder = id === undefined ? undefined : await reader.managedBy(place, kind, configuration, id)
    if (holder !== undefined && !mayDelete(holder))
      throw conflict({ group: kind.group, resource: kind.resource }, place.name, managedElsewhere)
  }
}

const noFacts = { uid: '', package: '', dependencies: [], fingerprint: '' }

function refuseDoubles(place: NodePlace, kind: NodeKind, instances: readonly TakenInstance[]): void {
  const seen = new Set<string>()
  for (const { key, deposed } of instances) {
    const text = JSON.stringify([String(key ?? ''), deposed ?? ''])
    if (seen.has(text))
      throw conflict(
        { group: kind.group, resource: kind.resource },
        place.name,
        `there is a state of instance ${JSON.stringify(key ?? '')} already`,
      )
    seen.add(text)
  }
}

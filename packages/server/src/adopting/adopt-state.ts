import type { JsonObject } from '@hykube/machinery/json'
import { type KubernetesObject, withFinalizer } from '@hykube/machinery/object'
import { conflict } from '@hykube/machinery/status'
import { impliedType } from '@hykube/tfplugin/schema'
import { valueFromJson } from '@hykube/tfplugin/value'
import {
  type Edge,
  edgeOperations,
  idOf,
  putMark,
  putState,
  resolvedProvidersOf,
  type Slot,
  withStatus,
} from '../estate/index.ts'
import { repetitionOf, resolveReferences, targetRefs, wholeObject } from '../evaluation/index.ts'
import { referencesOf } from '../expression/index.ts'
import {
  type InstanceKey,
  type InstanceStates,
  isGone,
  type ResourceKind,
  type ResourceRef,
  refFromText,
  type StateFacts,
  stateToRecord,
  storedInstance,
} from '../model/index.ts'
import type { EngineParts } from '../plans/index.ts'
import { managedFinalizer } from '../provider/index.ts'
import type { Operation } from '../storage/index.ts'
import { publicAttributes } from '../terraform/index.ts'
import { type GeneratedSpec, generateSpec } from './generate-spec.ts'
import { type ImportedInstance, importInstance, readInstances } from './read-instances.ts'
import type { StateImport } from './state-import.ts'

/** The result of adopting real resources into an object: the object's new fields and the writes that go with it. */
export interface Adoption {
  /** The spec generated from the state; absent when the object already has a spec. */
  readonly generated?: GeneratedSpec
  /** Adds the fields that only the server sets: the finalizer and the status. */
  complete(object: KubernetesObject): KubernetesObject
  /** State records, edges and a mark, for the same commit that stores the object. */
  operations(object: KubernetesObject): Operation[]
}

/** The rights of the user of a request on objects that manage a resource with the same id. */
export interface HolderRights {
  mayDelete(holder: ResourceRef): boolean
  /** Names the object if the user may read it. */
  nameOf(holder: ResourceRef): string
}

/**
 * Has the provider read the states of a request and prepares their adoption by one object. `own` is the spec of an object that
 * already has one; without it a spec is generated. `known` are states of the object from earlier requests, which stay.
 */
export async function adoptState(
  parts: EngineParts,
  ref: ResourceRef,
  kind: ResourceKind,
  wanted: StateImport,
  known: readonly InstanceStates[],
  own: JsonObject | undefined,
  secret: string | undefined,
  holders: HolderRights,
): Promise<Adoption> {
  const configuration = typeof own?.provider === 'string' ? own.provider : wanted.configuration
  const access = await parts.reader.provider(ref, kind, configuration)
  if ('problem' in access) throw conflict({ group: kind.group, resource: kind.resource }, ref.name, access.problem)
  return access.use(async (session) => {
    const imported =
      wanted.id === undefined
        ? await readInstances(ref, kind, wanted.instances, access, session)
        : [await importInstance(ref, kind, wanted.id, access, session)]
    await rejectManaged(parts, ref, kind, { ...wanted, configuration }, imported, holders)
    const all = [...known.flatMap((each) => fromKnownStates(kind, each)), ...imported]
    rejectDuplicates(ref, kind, all)
    const generated =
      own === undefined ? await generateSpec(ref, kind, all, wanted, access, session, secret) : undefined
    const keys = generated?.keys ?? (repetitionOf(own!) === 'for_each' ? 'strings' : 'same')
    const facts = { type: kind.type, configuration, package: access.package, fingerprint: '' }
    return adoption(parts, ref, kind, all, known, { keys, facts, ...(generated !== undefined && { generated }) })
  })
}

interface AdoptionFacts {
  readonly generated?: GeneratedSpec
  readonly keys: GeneratedSpec['keys']
  readonly facts: Omit<StateFacts, 'uid' | 'dependencies'>
}

function adoption(
  parts: EngineParts,
  ref: ResourceRef,
  kind: ResourceKind,
  instances: readonly ImportedInstance[],
  known: readonly InstanceStates[],
  { generated, keys, facts }: AdoptionFacts,
): Adoption {
  const nameOf = (key: InstanceKey) => (keys === 'strings' && key !== undefined ? String(key) : key)
  return {
    ...(generated !== undefined && { generated }),
    complete: (object) => withAdoptionStatus(object, kind, instances, generated, parts.clock.now()),
    operations: (object) => {
      const dependencies = dependenciesOf(ref, kind, object, parts)
      const uid = object.metadata?.uid ?? ''
      const records = instances.map(({ key, deposed, createBeforeDestroy, state, record }): Operation => {
        const slot: Slot = deposed === undefined ? 'current' : `deposed/${deposed}`
        const own = { ...facts, uid, dependencies, ...(createBeforeDestroy && { createBeforeDestroy: true as const }) }
        const kept =
          record === undefined
            ? stateToRecord(state, kind.schema, kind.identity, own)
            : { ...record, uid, dependencies, fingerprint: '' }
        return putState({ ref, instance: nameOf(key), slot }, kept)
      })
      const renamed = known.filter(({ instance }) => nameOf(instance) !== instance)
      const edges = dependencies.map(
        (text): Edge => ({ target: refFromText(ref.cluster, text), attribute: wholeObject, dependent: ref }),
      )
      return [
        ...renamed.flatMap((each) => deleteStates(ref, each)),
        ...records,
        ...edgeOperations('applied', [], edges),
        putMark({ ref, kind: 'unsettled' }),
      ]
    },
  }
}

function deleteStates(ref: ResourceRef, { instance, deposed }: InstanceStates): Operation[] {
  const slots: Slot[] = ['current', ...deposed.map(({ key }): Slot => `deposed/${key}`)]
  return slots.map((slot) => putState({ ref, instance, slot }, undefined))
}

function withAdoptionStatus(
  object: KubernetesObject,
  kind: ResourceKind,
  instances: readonly ImportedInstance[],
  generated: GeneratedSpec | undefined,
  now: number,
): KubernetesObject {
  const { metadata = {} } = object
  const managed = { ...metadata, finalizers: [...withFinalizer(metadata.finalizers, managedFinalizer)] }
  const current = instances.filter(({ deposed }) => deposed === undefined)
  const ready = current.filter(({ state }) => state.status === 'ready').length
  const [only] = current
  const isBatch = only === undefined || only.key !== undefined
  const imported = { reason: 'Imported', message: 'imported' }
  const isAsFound = generated?.isAsFound === true && ready === current.length
  const applied = isAsFound
    ? { status: 'True' as const, ...imported }
    : {
        status: 'False' as const,
        reason: 'Imported',
        message: changesText(generated?.changes ?? []),
      }
  return withStatus(
    { ...object, metadata: managed },
    {
      ...(isBatch
        ? { instances: { total: current.length, ready } }
        : { attributes: publicAttributes(kind.schema, only.state.value, only.state.sensitivePaths) }),
      ...(isAsFound && { observedGeneration: metadata.generation ?? 1 }),
      conditions: [
        { type: 'Ready', status: ready === current.length ? 'True' : 'False', ...imported },
        { type: 'Applied', ...applied },
      ],
    },
    now,
  )
}

function changesText(changes: readonly string[]): string {
  if (changes.length === 0) return 'make a plan to see how the spec differs from the imported state'
  return changes.join('; ')
}

function dependenciesOf(ref: ResourceRef, kind: ResourceKind, object: KubernetesObject, { kinds }: EngineParts) {
  const references = referencesOf(undefined, (object.spec ?? {}) as JsonObject).references.map(
    ({ reference }) => reference,
  )
  const resolved = resolvedProvidersOf(object)
  const { targets } = resolveReferences({ ref, kind, resolved }, references, kinds)
  return targetRefs(targets.filter((target) => target.kind !== undefined))
}

function fromKnownStates(kind: ResourceKind, { instance, current, deposed }: InstanceStates): ImportedInstance[] {
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

// Rejects a resource that another object manages. Ids of types without a remote object (hashicorp/time, hashicorp/random) are not
// unique, so a state file may hold one id twice, and the user may allow others. The user must be allowed to delete the other object:
// for any other user a second object would be a way to take the resource over.
async function rejectManaged(
  { reader }: EngineParts,
  ref: ResourceRef,
  kind: ResourceKind,
  { id: asked, configuration, sharesIdsWith, allowSharedIds }: StateImport,
  imported: readonly ImportedInstance[],
  { mayDelete, nameOf }: HolderRights,
): Promise<void> {
  const ofFile = new Set(sharesIdsWith)
  const isMeant = ({ namespace, name }: ResourceRef) =>
    allowSharedIds || (namespace === ref.namespace && ofFile.has(`${kind.type}.${name}`))
  for (const { state } of imported) {
    const id = idOf(stateToRecord(state, kind.schema, kind.identity, { ...noFacts, type: kind.type, configuration }))
    if (id === undefined) continue
    const isAccepted = (holder: ResourceRef) => isMeant(holder) && mayDelete(holder)
    const holder = await reader.managedBy(ref, kind, configuration, id, isAccepted)
    if (holder === undefined) continue
    const remedy = mayDelete(holder) ? remedies[asked === undefined ? 'file' : 'id'] : remedies.forbidden
    const message = `${nameOf(holder)} already manages it: ${remedy}`
    throw conflict({ group: kind.group, resource: kind.resource }, ref.name, message)
  }
}

const remedies = {
  file: 'if ids of this type are not unique, use --allow-shared-ids',
  id: 'to move it, use the annotation hykube.io/moved-from',
  forbidden: 'to share its id, you need permission to delete that object',
}

const noFacts = { uid: '', package: '', dependencies: [], fingerprint: '' }

function rejectDuplicates(ref: ResourceRef, kind: ResourceKind, instances: readonly ImportedInstance[]): void {
  const seen = new Set<string>()
  for (const { key, deposed } of instances) {
    const text = JSON.stringify([String(key ?? ''), deposed ?? ''])
    if (seen.has(text))
      throw conflict(
        { group: kind.group, resource: kind.resource },
        ref.name,
        `instance ${JSON.stringify(key ?? '')} already has a state`,
      )
    seen.add(text)
  }
}

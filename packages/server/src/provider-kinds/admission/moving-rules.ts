import type { Clock } from '@hykube/machinery/base'
import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import { type Condition, hasCondition, type KubernetesObject } from '@hykube/machinery/object'
import { conflict, forbidden, invalid } from '@hykube/machinery/status'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import { type Authorizer, resourceAttributes } from '../../auth/index.ts'
import type { EstateReader } from '../../estate/index.ts'
import {
  type Estate,
  journalRangeOf,
  knownAttributes,
  putMark,
  type ResourceStatus,
  withoutManaged,
  withStatus,
} from '../../estate/index.ts'
import { repetitionOf, schemaReaches } from '../../evaluation/index.ts'
import {
  addressOf,
  type InstanceKey,
  type InstanceStates,
  isGone,
  type ResourceKind,
  type ResourceRef,
} from '../../model/index.ts'
import { conditionsOf, movedFromAnnotation } from '../../provider/index.ts'
import { decodeObject, type ObjectChange, type ObjectStore } from '../../resource/index.ts'
import type { Operation } from '../../storage/index.ts'
import { moveEdges, moveRecords } from './move-records.ts'
import { moveUsers } from './move-users.ts'

/**
 * Moves the state of another object to a new one that has the annotation `hykube.io/moved-from`, in the commit that creates it. When there
 * is no state to move, or the object already exists, a Warning says so and the annotation has no effect, like Terraform's moved blocks.
 */
export function movingRules(
  reader: EstateReader,
  estate: Estate,
  objects: ObjectStore,
  authorizer: Authorizer,
  clock: Clock,
): AdmissionPlugin {
  return {
    name: 'MovedResources',
    handles: ({ operation, subresource, object, old, cluster, type }) =>
      (operation === 'CREATE' || operation === 'UPDATE') &&
      subresource === '' &&
      movedFrom(object) !== undefined &&
      movedFrom(object) !== movedFrom(old) &&
      reader.kinds.at(cluster, type.group, type.names.plural)?.data === false,
    mutate: async (request) => {
      const { operation, object } = request
      if (operation === 'UPDATE') return object!
      const kind = reader.kinds.at(request.cluster, request.type.group, request.type.names.plural)!
      const { from, key } = sourceOf(request, kind, reader)
      const states = selectedStates(await estate.states(from), key)
      const { status: _, ...fresh } = object!
      // A client's status is dropped. Only a moved object has a status on creation; see the strategy of provider kinds.
      if (states.length === 0) return fresh as KubernetesObject
      const before = await objects.get(from, from)
      const old = before === undefined ? undefined : decodeObject(before.bytes)
      return { ...fresh, status: movedStatus(kind, withNewKeys(states, key, object!), isSettledBy(old, object)) }
    },
    validate: async (request) => {
      if (request.operation === 'UPDATE') return request.warn(withoutEffect(request, alreadyExists))
      const to: ResourceRef = placeOf(request)
      const kind = reader.kinds.at(request.cluster, to.group, to.resource)!
      const { from, key } = sourceOf(request, kind, reader)
      requireDelete(authorizer, request, from)
      const all = await estate.states(from)
      const states = selectedStates(all, key)
      if (states.length === 0)
        return request.warn(withoutEffect(request, 'there is no real resource under that address'))
      requireSensitive(authorizer, request, kind, from, states)
      if ((await estate.count(journalRangeOf(from))) > 0) throw beingChanged(from)
      const uid = request.object?.metadata?.uid ?? ''
      const isAll = states.length === all.length
      const write = async (operations: readonly Operation[]) => {
        if ((await estate.commit({ operations })).kind === 'refused') throw beingChanged(from)
      }
      const operations = [
        ...states.flatMap((state) => {
          const { instance } = state
          const movedFrom = addressOf({ ref: from, kind }, instance)
          const target = { ref: to, instance: keyIn(request.object!, instance, key) }
          return moveRecords(state, { ref: from, instance }, target, { uid, movedFrom })
        }),
        ...moveEdges(states, from, to, isAll),
        ...(await moveUsers(estate, { from, to, isAll }, request.dryRun ? undefined : write)),
        // The next plan must visit the old object and the objects that refer to it.
        putMark({ ref: from, kind: 'outputs' }),
        putMark({ ref: from, kind: 'unsettled' }),
      ]
      const rest = all.filter((state) => !states.includes(state))
      const changes = await releaseSource(objects, from, to, rest, clock.now())
      if (rest.length === 0 && changes.some(({ after }) => after !== undefined)) request.warn(stillExists(from))
      request.addToCommit?.({ operations, changes, settled: () => {} })
    },
  }
}

function beingChanged({ group, resource, name }: ResourceRef) {
  return conflict({ group, resource }, name, 'a plan is changing it')
}

function stillExists({ resource, namespace, name }: ResourceRef): string {
  return `${resource} "${name}" in namespace "${namespace}" still exists: delete it, or the next plan creates its resource again`
}

function movedFrom(object: KubernetesObject | undefined): string | undefined {
  return object?.metadata?.annotations?.[movedFromAnnotation]
}

function withoutEffect({ object }: AdmissionRequest, why: string): string {
  return `the annotation ${movedFromAnnotation}: ${movedFrom(object)} has no effect: ${why}`
}

const alreadyExists = 'the object already exists, and only a new object can take over the real resource of another one'

function placeOf({ cluster, type, namespace, object }: AdmissionRequest): ResourceRef {
  const { group, names } = type
  return { cluster, group, resource: names.plural, namespace, name: object?.metadata?.name ?? '' }
}

interface MoveSource {
  readonly from: ResourceRef
  /** The instance to move; undefined for all of them. */
  readonly key: { readonly of: string | number } | undefined
}

function selectedStates(states: readonly InstanceStates[], key: MoveSource['key']): readonly InstanceStates[] {
  return key === undefined ? states : states.filter(({ instance }) => instance === key.of)
}

function withNewKeys(
  states: readonly InstanceStates[],
  key: MoveSource['key'],
  object: KubernetesObject,
): InstanceStates[] {
  return states.map((state) => ({ ...state, instance: keyIn(object, state.instance, key) }))
}

// The key in the new object: a single instance becomes the only or the first one, the only one the first with `count`, and the first
// the only one without.
function keyIn({ spec }: KubernetesObject, instance: InstanceKey, key: MoveSource['key']): InstanceKey {
  const repetition = repetitionOf((spec ?? {}) as Parameters<typeof repetitionOf>[0])
  if (key !== undefined) return repetition === 'count' ? 0 : repetition === 'single' ? undefined : String(key.of)
  if (repetition === 'count' && instance === undefined) return 0
  return repetition === 'single' && instance === 0 ? undefined : instance
}

// Parses `[namespace/]type.name`, or an instance: `type.name[0]`, `type.name["eu"]`.
function sourceOf(request: AdmissionRequest, own: ResourceKind, reader: EstateReader): MoveSource {
  const text = request.object?.metadata?.annotations?.[movedFromAnnotation] ?? ''
  const [, namespace = request.namespace, type = '', name = '', index, quoted] = source.exec(text) ?? []
  if (name === '') throw refuse(request, 'must be [namespace/]type.name, or an instance such as type.name[0]')
  const key =
    index !== undefined
      ? { of: Number(index) }
      : quoted !== undefined
        ? { of: JSON.parse(quoted) as string }
        : undefined
  const kind = reader.kinds.find(request.cluster, own.provider, { data: false, type })
  if (kind === undefined || kind === 'ambiguous')
    throw refuse(request, `no provider or more than one provider has the type ${type}`)
  if (kind.type !== own.type || kind.provider !== own.provider)
    throw refuse(
      request,
      `${kind.type} cannot become ${own.type}: only the same type of the same provider can be moved`,
    )
  return { from: { cluster: request.cluster, group: kind.group, resource: kind.resource, namespace, name }, key }
}

const source = /^(?:([^/"]+)\/)?([^./[]+)\.([^/[]+)(?:\[(?:(\d+)|("(?:[^"\\]|\\.)*"))\])?$/

function refuse({ type, object }: AdmissionRequest, problem: string) {
  return invalid({ group: type.group, kind: type.names.kind }, object?.metadata?.name ?? '', [
    {
      reason: 'FieldValueInvalid',
      field: `metadata.annotations[${movedFromAnnotation}]`,
      message: `Invalid value: ${problem}`,
    },
  ])
}

function requireDelete(authorizer: Authorizer, { user, cluster }: AdmissionRequest, from: ResourceRef): void {
  const { group, resource, namespace, name } = from
  const attributes = resourceAttributes({ user, cluster, verb: 'delete', apiGroup: group, resource, namespace, name })
  if (!authorizer.authorize(attributes).allowed)
    throw forbidden({ group, resource }, name, `moving it requires permission to delete it in namespace ${namespace}`)
}

// Users of the new namespace could read the sensitive values that move along with the state.
function requireSensitive(
  authorizer: Authorizer,
  { user, cluster, namespace: to }: AdmissionRequest,
  { schema }: ResourceKind,
  from: ResourceRef,
  states: readonly InstanceStates[],
): void {
  const { group, resource, namespace, name } = from
  const records = states.flatMap(({ current, observed, deposed }) => [current, observed, ...deposed])
  const hasSensitive = schemaReaches(schema.block, []) || records.some((known) => known?.record.sensitive !== undefined)
  if (namespace === to || !hasSensitive) return
  const wanted = { user, cluster, verb: 'get', apiGroup: group, resource, subresource: 'sensitive', namespace, name }
  if (!authorizer.authorize(resourceAttributes(wanted)).allowed)
    throw forbidden(
      { group, resource },
      name,
      `its state has sensitive values: moving it to another namespace requires permission to get ${resource}/sensitive in namespace ${namespace}`,
    )
}

// Updates the old object. Without remaining instances it loses its finalizer: it is removed if it was deleted, and not applied otherwise.
async function releaseSource(
  objects: ObjectStore,
  from: ResourceRef,
  to: ResourceRef,
  rest: readonly InstanceStates[],
  now: number,
): Promise<ObjectChange[]> {
  const before = await objects.get(from, from)
  if (before === undefined) return []
  const object = decodeObject(before.bytes)
  const next = rest.length > 0 ? object : withoutManaged(object)
  const change = { resource: from, place: from, before, beforeObject: object, tag: before.tag }
  const isRemoved = next.metadata?.deletionTimestamp != null && (next.metadata.finalizers?.length ?? 0) === 0
  if (isRemoved) return [{ ...change, after: undefined, final: next }]
  const condition = { status: 'False' as const, reason: 'NotApplied', message: movedText(to, rest) }
  const conditions = ['Ready', 'Applied'].map((type) => ({ type, ...condition }))
  const { instances } = (object.status ?? {}) as ResourceStatus
  const kept = rest.length > 0 && instances !== undefined ? { instances: { ...instances, ready: readyOf(rest) } } : {}
  const gone = { attributes: undefined, instances: undefined, observedGeneration: undefined }
  return [{ ...change, after: withStatus(next, { ...(rest.length === 0 && gone), ...kept, conditions }, now) }]
}

function movedText({ namespace, name }: ResourceRef, rest: readonly InstanceStates[]): string {
  return `${rest.length === 0 ? 'its resource' : 'an instance'} was moved to ${namespace}/${name}`
}

function readyOf(states: readonly InstanceStates[]): number {
  return states.filter(({ current }) => current?.record.status === 'ready').length
}

// The status of the new object on creation: its resource already exists.
function movedStatus(kind: ResourceKind, states: readonly InstanceStates[], isSettled: boolean): ResourceStatus {
  const current = states.flatMap(({ current: known }) =>
    known === undefined || isGone(known.record) ? [] : known.record,
  )
  const ready = current.filter(({ status }) => status === 'ready').length
  const [only] = current
  const isBatch = states.some(({ instance }) => instance !== undefined)
  const moved = { reason: 'Moved', message: 'the resource was moved from another object' }
  const condition = (type: string, holds: boolean) => ({
    type,
    status: holds ? ('True' as const) : ('False' as const),
    ...moved,
  })
  const isReady = ready === current.length && ready > 0
  return {
    ...(isBatch && { instances: { total: current.length, ready } }),
    ...(!isBatch && only !== undefined && { attributes: knownAttributes(kind, only) }),
    // The generation of a new object is 1.
    ...(isReady && isSettled && { observedGeneration: 1 }),
    conditions: [condition('Ready', isReady), condition('Applied', isReady && isSettled)] as Condition[],
  }
}

// True when the old object was applied and the new one has the same spec.
function isSettledBy(old: KubernetesObject | undefined, object: KubernetesObject | undefined): boolean {
  if (old === undefined || !hasCondition(conditionsOf(old), 'Applied')) return false
  return jsonEquals((old.spec ?? null) as JsonValue, (object?.spec ?? null) as JsonValue)
}

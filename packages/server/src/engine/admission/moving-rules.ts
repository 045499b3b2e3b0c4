import type { Clock } from '@hykube/machinery/base'
import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import { type Condition, hasCondition, type KubernetesObject } from '@hykube/machinery/object'
import { conflict, forbidden, invalid } from '@hykube/machinery/status'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import { type Authorizer, resourceAttributes } from '../../auth/index.ts'
import { type Estate, journalRangeOf, putMark } from '../../estate/index.ts'
import {
  addressOf,
  type InstanceKey,
  type InstanceStates,
  isGone,
  type NodeKind,
  type NodePlace,
  repetitionOf,
  schemaReaches,
} from '../../plan/index.ts'
import { conditionsOf, movedFromAnnotation } from '../../provider/index.ts'
import { decodeObject, type ObjectChange, type ObjectStore } from '../../resource/index.ts'
import type { EstateReader } from '../estate-reader.ts'
import { knownAttributes } from '../known-attributes.ts'
import { type ResourceStatus, withStatus } from '../object-status.ts'
import { withoutManaged } from '../settled-object.ts'
import { moveEdges, moveRecords } from './move-records.ts'

/**
 * A new object takes over what exists outside from another one, in the commit that creates it. Where there is nothing to take
 * over, or the object exists already, a Warning says so and the annotation has no effect, like Terraform's moved blocks.
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
      const states = takenFrom(await estate.states(from), key)
      const { status: _, ...fresh } = object!
      // Only an object that takes something over has a status here: see the strategy of provider kinds.
      if (states.length === 0) return fresh as KubernetesObject
      const before = await objects.get(from, from)
      const old = before === undefined ? undefined : decodeObject(before.bytes)
      return { ...fresh, status: movedStatus(kind, placed(states, key, object!), isSettledBy(old, object)) }
    },
    validate: async (request) => {
      if (request.operation === 'UPDATE') return request.warn(withoutEffect(request, existsAlready))
      const to: NodePlace = placeOf(request)
      const kind = reader.kinds.at(request.cluster, to.group, to.resource)!
      const { from, key } = sourceOf(request, kind, reader)
      demandDelete(authorizer, request, from)
      const all = await estate.states(from)
      const states = takenFrom(all, key)
      if (states.length === 0)
        return request.warn(withoutEffect(request, 'there is no real resource under that address'))
      demandSensitive(authorizer, request, kind, from, states)
      if ((await estate.count(journalRangeOf(from))) > 0)
        throw conflict({ group: from.group, resource: from.resource }, from.name, 'it is being changed just now')
      const uid = request.object?.metadata?.uid ?? ''
      const operations = [
        ...states.flatMap((state) => {
          const { instance } = state
          const movedFrom = addressOf({ place: from, kind }, instance)
          const target = { node: to, instance: keyIn(request.object!, instance, key) }
          return moveRecords(state, { node: from, instance }, target, { uid, movedFrom })
        }),
        ...moveEdges(states, from, to, states.length === all.length),
        // Whoever refers to the old object, and the old object itself, must be looked at again.
        putMark({ node: from, kind: 'outputs' }),
        putMark({ node: from, kind: 'unsettled' }),
      ]
      const rest = all.filter((state) => !states.includes(state))
      const changes = await released(objects, from, to, rest, clock.now())
      if (rest.length === 0 && changes.some(({ after }) => after !== undefined)) request.warn(stillWritten(from))
      request.ride?.({ operations, changes, settled: () => {} })
    },
  }
}

function stillWritten({ resource, namespace, name }: NodePlace): string {
  return `${resource} "${name}" in namespace "${namespace}" is still written: delete it, or the next plan creates it anew`
}

function movedFrom(object: KubernetesObject | undefined): string | undefined {
  return object?.metadata?.annotations?.[movedFromAnnotation]
}

function withoutEffect({ object }: AdmissionRequest, why: string): string {
  return `the annotation ${movedFromAnnotation}: ${movedFrom(object)} has no effect: ${why}`
}

const existsAlready = 'the object exists already, and only a new object takes over the real resource of another one'

function placeOf({ cluster, type, namespace, object }: AdmissionRequest): NodePlace {
  const { group, names } = type
  return { cluster, group, resource: names.plural, namespace, name: object?.metadata?.name ?? '' }
}

interface MoveSource {
  readonly from: NodePlace
  /** The one instance that is taken; without it all of them are. */
  readonly key: { readonly of: string | number } | undefined
}

function takenFrom(states: readonly InstanceStates[], key: MoveSource['key']): readonly InstanceStates[] {
  return key === undefined ? states : states.filter(({ instance }) => instance === key.of)
}

function placed(states: readonly InstanceStates[], key: MoveSource['key'], object: KubernetesObject): InstanceStates[] {
  return states.map((state) => ({ ...state, instance: keyIn(object, state.instance, key) }))
}

// One instance becomes the only one, or the first; the only one becomes the first, and the first the only one.
function keyIn({ spec }: KubernetesObject, instance: InstanceKey, key: MoveSource['key']): InstanceKey {
  const repetition = repetitionOf((spec ?? {}) as Parameters<typeof repetitionOf>[0])
  if (key !== undefined) return repetition === 'count' ? 0 : repetition === 'single' ? undefined : String(key.of)
  if (repetition === 'count' && instance === undefined) return 0
  return repetition === 'single' && instance === 0 ? undefined : instance
}

// `[namespace/]type.name`, or one instance of it: `type.name[0]`, `type.name["eu"]`
function sourceOf(request: AdmissionRequest, own: NodeKind, reader: EstateReader): MoveSource {
  const text = request.object?.metadata?.annotations?.[movedFromAnnotation] ?? ''
  const [, namespace = request.namespace, type = '', name = '', index, quoted] = source.exec(text) ?? []
  if (name === '') throw refuse(request, 'it must be [namespace/]type.name, or an instance of it as type.name[0]')
  const key =
    index !== undefined
      ? { of: Number(index) }
      : quoted !== undefined
        ? { of: JSON.parse(quoted) as string }
        : undefined
  const kind = reader.kinds.find(request.cluster, own.provider, { data: false, type })
  if (kind === undefined || kind === 'ambiguous')
    throw refuse(request, `no provider, or more than one, has the type ${type}`)
  if (kind.type !== own.type || kind.provider !== own.provider)
    throw refuse(
      request,
      `${kind.type} can not become ${own.type}: only the same type of the same provider can be moved`,
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

function demandDelete(authorizer: Authorizer, { user, cluster }: AdmissionRequest, from: NodePlace): void {
  const { group, resource, namespace, name } = from
  const attributes = resourceAttributes({ user, cluster, verb: 'delete', apiGroup: group, resource, namespace, name })
  if (!authorizer.authorize(attributes).allowed)
    throw forbidden(
      { group, resource },
      name,
      `to take its place one must be allowed to delete it in namespace ${namespace}`,
    )
}

// Permissions in the new namespace would reach the sensitive values that the state brings along.
function demandSensitive(
  authorizer: Authorizer,
  { user, cluster, namespace: to }: AdmissionRequest,
  { schema }: NodeKind,
  from: NodePlace,
  states: readonly InstanceStates[],
): void {
  const { group, resource, namespace, name } = from
  const records = states.flatMap(({ current, observed, deposed }) => [current, observed, ...deposed])
  const holdsSensitive =
    schemaReaches(schema.block, []) || records.some((known) => known?.record.sensitive !== undefined)
  if (namespace === to || !holdsSensitive) return
  const wanted = { user, cluster, verb: 'get', apiGroup: group, resource, subresource: 'sensitive', namespace, name }
  if (!authorizer.authorize(resourceAttributes(wanted)).allowed)
    throw forbidden(
      { group, resource },
      name,
      `its state holds sensitive values: to move it to another namespace one must be allowed to get ${resource}/sensitive in namespace ${namespace}`,
    )
}

// The old object keeps the instances that stay. With none of them left it goes if it was deleted, and is not applied otherwise.
async function released(
  objects: ObjectStore,
  from: NodePlace,
  to: NodePlace,
  rest: readonly InstanceStates[],
  now: number,
): Promise<ObjectChange[]> {
  const before = await objects.get(from, from)
  if (before === undefined) return []
  const object = decodeObject(before.bytes)
  const next = rest.length > 0 ? object : withoutManaged(object)
  const change = { resource: from, place: from, before, beforeObject: object, tag: before.tag }
  const isGoing = next.metadata?.deletionTimestamp != null && (next.metadata.finalizers?.length ?? 0) === 0
  if (isGoing) return [{ ...change, after: undefined, final: next }]
  const told = { status: 'False' as const, reason: 'NotApplied', message: tookPlace(to, rest) }
  const conditions = ['Ready', 'Applied'].map((type) => ({ type, ...told }))
  const { instances } = (object.status ?? {}) as ResourceStatus
  const kept = rest.length > 0 && instances !== undefined ? { instances: { ...instances, ready: readyOf(rest) } } : {}
  const gone = { attributes: undefined, instances: undefined, observedGeneration: undefined }
  return [{ ...change, after: withStatus(next, { ...(rest.length === 0 && gone), ...kept, conditions }, now) }]
}

function tookPlace({ namespace, name }: NodePlace, rest: readonly InstanceStates[]): string {
  return `${namespace}/${name} has taken ${rest.length === 0 ? 'its place' : 'the place of an instance'}`
}

function readyOf(states: readonly InstanceStates[]): number {
  return states.filter(({ current }) => current?.record.status === 'ready').length
}

// How the new object stands from the first moment: what it takes over is there.
function movedStatus(kind: NodeKind, states: readonly InstanceStates[], isSettled: boolean): ResourceStatus {
  const current = states.flatMap(({ current: known }) =>
    known === undefined || isGone(known.record) ? [] : known.record,
  )
  const ready = current.filter(({ status }) => status === 'ready').length
  const [only] = current
  const isBatch = states.some(({ instance }) => instance !== undefined)
  const found = { reason: 'Moved', message: 'it has taken the place of another object' }
  const condition = (type: string, holds: boolean) => ({
    type,
    status: holds ? ('True' as const) : ('False' as const),
    ...found,
  })
  const isReady = ready === current.length && ready > 0
  return {
    ...(isBatch && { instances: { total: current.length, ready } }),
    ...(!isBatch && only !== undefined && { attributes: knownAttributes(kind, only) }),
    // A new object is of the first generation.
    ...(isReady && isSettled && { observedGeneration: 1 }),
    conditions: [condition('Ready', isReady), condition('Applied', isReady && isSettled)] as Condition[],
  }
}

// What was applied to the old object is applied to the new one, if that wants the same.
function isSettledBy(old: KubernetesObject | undefined, object: KubernetesObject | undefined): boolean {
  if (old === undefined || !hasCondition(conditionsOf(old), 'Applied')) return false
  return jsonEquals((old.spec ?? null) as JsonValue, (object?.spec ?? null) as JsonValue)
}

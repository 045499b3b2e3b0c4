import type { Clock } from '@hykube/machinery/base'
import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import { type Condition, type KubernetesObject, withoutFinalizer } from '@hykube/machinery/object'
import { conflict, forbidden, invalid } from '@hykube/machinery/status'
import { impliedType, ValueError, valueFromJson } from '@hykube/tfplugin/value'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import { type Authorizer, resourceAttributes } from '../../auth/index.ts'
import { type Estate, edgeOperations, journalRangeOf, putMark, putState, type Slot } from '../../estate/index.ts'
import {
  type InstanceStates,
  isGone,
  type NodeKind,
  type NodePlace,
  nodeFromText,
  pathFromJson,
  publicAttributes,
  type StateRecord,
  wholeObject,
} from '../../plan/index.ts'
import { managedFinalizer, movedFromAnnotation } from '../../provider/index.ts'
import { decodeObject, type ObjectChange, type ObjectStore } from '../../resource/index.ts'
import type { Operation } from '../../storage/index.ts'
import type { EstateReader } from '../estate-reader.ts'
import { type ResourceStatus, withStatus } from '../object-status.ts'

/** A new object takes over what exists outside from another one, in the commit that creates it. */
export function movingRules(
  reader: EstateReader,
  estate: Estate,
  objects: ObjectStore,
  authorizer: Authorizer,
  clock: Clock,
): AdmissionPlugin {
  return {
    name: 'MovedResources',
    handles: ({ operation, subresource, object, cluster, type }) =>
      operation === 'CREATE' &&
      subresource === '' &&
      object?.metadata?.annotations?.[movedFromAnnotation] !== undefined &&
      reader.kinds.at(cluster, type.group, type.names.plural)?.data === false,
    mutate: async (request) => {
      const kind = reader.kinds.at(request.cluster, request.type.group, request.type.names.plural)!
      const from = sourceOf(request, kind, reader)
      const states = await estate.states(from)
      const before = await objects.get(from, from)
      const old = before === undefined ? undefined : decodeObject(before.bytes)
      return { ...request.object!, status: movedStatus(kind, states, isSameSpec(old, request.object)) }
    },
    validate: async (request) => {
      const to: NodePlace = placeOf(request)
      const kind = reader.kinds.at(request.cluster, to.group, to.resource)!
      const from = sourceOf(request, kind, reader)
      demandDelete(authorizer, request, from)
      const states = await estate.states(from)
      if (states.length === 0) throw refuse(request, 'there is nothing that exists outside under that address')
      if ((await estate.count(journalRangeOf(from))) > 0)
        throw conflict({ group: from.group, resource: from.resource }, from.name, 'it is being changed just now')
      const uid = request.object?.metadata?.uid ?? ''
      const operations = [
        ...states.flatMap((state) => moved(from, to, state, uid)),
        // Whoever refers to the old object, and the old object itself, must be looked at again.
        putMark({ node: from, kind: 'outputs' }),
        putMark({ node: from, kind: 'unsettled' }),
      ]
      const changes = await released(objects, from, to, clock.now())
      if (changes.some(({ after }) => after !== undefined)) request.warn(stillWritten(from))
      request.ride?.({ operations, changes, settled: () => {} })
    },
  }
}

function stillWritten({ resource, namespace, name }: NodePlace): string {
  return `${resource} "${name}" in namespace "${namespace}" is still written: delete it, or the next plan creates it anew`
}

function placeOf({ cluster, type, namespace, object }: AdmissionRequest): NodePlace {
  const { group, names } = type
  return { cluster, group, resource: names.plural, namespace, name: object?.metadata?.name ?? '' }
}

// `[namespace/]type.name`
function sourceOf(request: AdmissionRequest, own: NodeKind, reader: EstateReader): NodePlace {
  const text = request.object?.metadata?.annotations?.[movedFromAnnotation] ?? ''
  const [, namespace = request.namespace, type = '', name = ''] = /^(?:([^/]+)\/)?([^./]+)\.([^/]+)$/.exec(text) ?? []
  if (name === '') throw refuse(request, 'it must be [namespace/]type.name')
  const kind = reader.kinds.find(request.cluster, own.provider, { data: false, type })
  if (kind === undefined || kind === 'ambiguous')
    throw refuse(request, `no provider, or more than one, has the type ${type}`)
  if (kind.type !== own.type || kind.provider !== own.provider)
    throw refuse(
      request,
      `${kind.type} can not become ${own.type}: only the same type of the same provider can be moved`,
    )
  return { cluster: request.cluster, group: kind.group, resource: kind.resource, namespace, name }
}

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

function moved(from: NodePlace, to: NodePlace, { instance, current, observed, deposed }: InstanceStates, uid: string) {
  const slots: [Slot, typeof current][] = [
    ['current', current],
    ['observed', observed],
  ]
  for (const each of deposed) slots.push([`deposed/${each.key}`, each])
  return slots.flatMap(([slot, known]): Operation[] => {
    if (known === undefined) return []
    const { record, revision } = known
    const edges = (dependent: NodePlace) =>
      record.dependencies.map((text) => ({ target: nodeFromText(to.cluster, text), attribute: wholeObject, dependent }))
    return [
      { ...putState({ node: from, instance, slot }, undefined), expect: revision } as Operation,
      putState({ node: to, instance, slot }, { ...record, uid }),
      ...edgeOperations('applied', edges(from), []),
      ...edgeOperations('applied', [], edges(to)),
    ]
  })
}

// The old object has nothing outside any more: it goes if it was to go, and is not applied otherwise.
async function released(objects: ObjectStore, from: NodePlace, to: NodePlace, now: number): Promise<ObjectChange[]> {
  const before = await objects.get(from, from)
  if (before === undefined) return []
  const object = decodeObject(before.bytes)
  const { finalizers, ...metadata } = object.metadata ?? {}
  const kept = withoutFinalizer(finalizers, managedFinalizer) ?? []
  const next: KubernetesObject = { ...object, metadata: { ...metadata, ...(kept.length > 0 && { finalizers: kept }) } }
  const change = { resource: from, place: from, before, beforeObject: object, tag: before.tag }
  const isGoing = metadata.deletionTimestamp != null && kept.length === 0
  if (isGoing) return [{ ...change, after: undefined, final: next }]
  const told = {
    status: 'False' as const,
    reason: 'NotApplied',
    message: `${to.namespace}/${to.name} has taken its place`,
  }
  const set = {
    attributes: undefined,
    instances: undefined,
    observedGeneration: undefined,
    conditions: ['Ready', 'Applied'].map((type) => ({ type, ...told })),
  }
  return [{ ...change, after: withStatus(next, set, now) }]
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
    ...(!isBatch && only !== undefined && { attributes: shownAttributes(kind, only) }),
    conditions: [condition('Ready', isReady), condition('Applied', isReady && isSettled)] as Condition[],
  }
}

function shownAttributes({ schema }: NodeKind, record: StateRecord): Readonly<Record<string, unknown>> {
  try {
    const value = valueFromJson(record.attributes, impliedType(schema.block))
    return publicAttributes(schema, value, (record.sensitive ?? []).map(pathFromJson))
  } catch (error) {
    // Of an older schema: the next change shows it.
    if (error instanceof ValueError) return {}
    throw error
  }
}

function isSameSpec(old: KubernetesObject | undefined, object: KubernetesObject | undefined): boolean {
  return old !== undefined && jsonEquals((old.spec ?? null) as JsonValue, (object?.spec ?? null) as JsonValue)
}

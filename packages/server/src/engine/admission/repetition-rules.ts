import type { KubernetesObject } from '@hykube/machinery/object'
import { conflict } from '@hykube/machinery/status'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import { type Estate, journalRangeOf, putMark } from '../../estate/index.ts'
import {
  addressOf,
  type InstanceKey,
  type InstanceStates,
  isGone,
  type NodeKind,
  type NodePlace,
  shownAttributes,
} from '../../plan/index.ts'
import { movesItsInstance } from '../../provider/index.ts'
import type { EstateReader } from '../estate-reader.ts'
import type { ResourceStatus } from '../object-status.ts'
import { moveRecords } from './move-records.ts'

/**
 * An object that gets `count` keeps what exists as its first instance, and one that loses it keeps the first instance as its
 * only one: what is known of it gets its new key in the commit of the write.
 */
export function repetitionRules(reader: EstateReader, estate: Estate): AdmissionPlugin {
  const kindOf = ({ cluster, type }: AdmissionRequest) => reader.kinds.at(cluster, type.group, type.names.plural)
  return {
    name: 'RepeatedResources',
    handles: (request) => {
      const { operation, subresource, object, old } = request
      if (operation !== 'UPDATE' || subresource !== '' || object === undefined || old === undefined) return false
      return kindOf(request)?.data === false && movesItsInstance(old, object)
    },
    mutate: async (request) => {
      const { old, object } = request
      const move = await moveOf(request, estate)
      const status = move === undefined ? old?.status : movedStatus(kindOf(request)!, old!, object!, move)
      return { ...object!, ...(status !== undefined && { status }) }
    },
    validate: async (request) => {
      const move = await moveOf(request, estate)
      if (move === undefined) return
      const { node, states, to } = move
      const { group, resource, name } = node
      if ((await estate.count(journalRangeOf(node))) > 0)
        throw conflict(
          { group, resource },
          name,
          'it is being changed just now: wait for that before count comes or goes',
        )
      const from = { node, instance: states.instance }
      const facts = {
        uid: request.old?.metadata?.uid ?? '',
        movedFrom: addressOf({ place: node, kind: kindOf(request)! }, states.instance),
      }
      // Whoever refers to it may mean something else now.
      const operations = [
        ...moveRecords(states, from, { node, instance: to }, facts),
        putMark({ node, kind: 'outputs' }),
      ]
      request.ride?.({ operations, changes: [], settled: () => {} })
    },
  }
}

interface Move {
  readonly node: NodePlace
  readonly states: InstanceStates
  readonly to: InstanceKey
}

// Nothing moves where something is in its place already.
async function moveOf(
  { cluster, type, namespace, name, old }: AdmissionRequest,
  estate: Estate,
): Promise<Move | undefined> {
  const node = { cluster, group: type.group, resource: type.names.plural, namespace, name }
  const [from, to] = isBatch(old!) ? [0, undefined] : [undefined, 0]
  const [states, inPlace] = [await estate.state(node, from), await estate.state(node, to)]
  return states === undefined || inPlace !== undefined ? undefined : { node, states, to }
}

function isBatch({ spec }: KubernetesObject): boolean {
  return ((spec ?? {}) as { count?: unknown }).count != null
}

function movedStatus(
  kind: NodeKind,
  old: KubernetesObject,
  object: KubernetesObject,
  { states, to }: Move,
): ResourceStatus {
  const { attributes: _, instances: __, ...rest } = (old.status ?? {}) as ResourceStatus
  const record = states.current?.record
  if (record === undefined || isGone(record)) return rest
  if (to === undefined)
    return { ...rest, attributes: shownAttributes(kind.schema, record) as ResourceStatus['attributes'] & object }
  const { count } = object.spec as { count?: unknown }
  return {
    ...rest,
    instances: { total: typeof count === 'number' ? count : 1, ready: record.status === 'ready' ? 1 : 0 },
  }
}

import type { KubernetesObject } from '@hykube/machinery/object'
import { conflict } from '@hykube/machinery/status'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import type { EstateReader, ResourceStatus } from '../../estate/index.ts'
import { type Estate, journalRangeOf, putMark } from '../../estate/index.ts'
import { shownAttributes } from '../../evaluation/index.ts'
import {
  addressOf,
  type InstanceKey,
  type InstanceStates,
  isGone,
  type ResourceKind,
  type ResourceRef,
} from '../../model/index.ts'
import { changesInstanceKey } from '../../provider/index.ts'
import { moveRecords } from './move-records.ts'

/**
 * Moves the state when `count` is added or removed: the only instance becomes the first one, or the first one the only one. The state
 * records get the new key in the commit of the write, as in Terraform.
 */
export function repetitionRules(reader: EstateReader, estate: Estate): AdmissionPlugin {
  const kindOf = ({ cluster, type }: AdmissionRequest) => reader.kinds.at(cluster, type.group, type.names.plural)
  return {
    name: 'RepeatedResources',
    handles: (request) => {
      const { operation, subresource, object, old } = request
      if (operation !== 'UPDATE' || subresource !== '' || object === undefined || old === undefined) return false
      return kindOf(request)?.data === false && changesInstanceKey(old, object)
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
      const { ref, states, to } = move
      const { group, resource, name } = ref
      if ((await estate.count(journalRangeOf(ref))) > 0)
        throw conflict({ group, resource }, name, 'a plan is changing it: wait for it before you add or remove count')
      const from = { ref, instance: states.instance }
      const facts = {
        uid: request.old?.metadata?.uid ?? '',
        movedFrom: addressOf({ ref, kind: kindOf(request)! }, states.instance),
      }
      // Expressions that refer to the object may have another value now.
      const operations = [...moveRecords(states, from, { ref, instance: to }, facts), putMark({ ref, kind: 'outputs' })]
      request.addToCommit?.({ operations, changes: [], settled: () => {} })
    },
  }
}

interface Move {
  readonly ref: ResourceRef
  readonly states: InstanceStates
  readonly to: InstanceKey
}

// Returns undefined when there is nothing to move, or when the target key already has a state.
async function moveOf(
  { cluster, type, namespace, name, old }: AdmissionRequest,
  estate: Estate,
): Promise<Move | undefined> {
  const ref = { cluster, group: type.group, resource: type.names.plural, namespace, name }
  const [from, to] = isBatch(old!) ? [0, undefined] : [undefined, 0]
  const [states, existing] = [await estate.state(ref, from), await estate.state(ref, to)]
  return states === undefined || existing !== undefined ? undefined : { ref, states, to }
}

function isBatch({ spec }: KubernetesObject): boolean {
  return ((spec ?? {}) as { count?: unknown }).count != null
}

function movedStatus(
  kind: ResourceKind,
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

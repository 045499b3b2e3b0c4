import { conflict } from '@hykube/machinery/status'
import { type Estate, edgeOperations, journalKey, putState, type StoredState, stateRange } from '../../estate/index.ts'
import { wholeObject } from '../../evaluation/index.ts'
import { instanceToText, type ResourceRef, refToText } from '../../model/index.ts'
import type { Operation } from '../../storage/index.ts'

/** A move of an object's state to another object; `isAll` when every instance moves. */
export interface MovedObject {
  readonly from: ResourceRef
  readonly to: ResourceRef
  readonly isAll: boolean
}

/**
 * Changes the dependencies in the state records of an object's dependents to the object's new name. A used resource is protected and
 * destroyed last because of these names. Returns the operations for the commit of the move. If there are more records than fit into one
 * commit, the others are written before it with both names, because the move may still be rejected.
 */
export async function moveUsers(
  estate: Estate,
  moved: MovedObject,
  write: ((operations: readonly Operation[]) => Promise<void>) | undefined,
): Promise<Operation[]> {
  const old = refToText(moved.from)
  await requireNoOpenCalls(estate, moved.from)
  let records: StoredState[] = []
  let isOne = true
  for await (const user of estate.dependents('applied', moved.from))
    for await (const state of estate.statesIn(stateRange(user))) {
      if (!state.record.dependencies.includes(old)) continue
      records.push(state)
      if (records.length < mostPerCommit) continue
      isOne = false
      await write?.(renamed(records, { ...moved, isAll: false }))
      records = []
    }
  return renamed(records, { ...moved, isAll: moved.isAll && isOne })
}

const mostPerCommit = 1000

// The outcome of a call in flight would be stored with the old name.
async function requireNoOpenCalls(estate: Estate, from: ResourceRef): Promise<void> {
  for (const set of ['applied', 'desired'] as const)
    for await (const user of estate.dependents(set, from))
      if ((await estate.openCalls(user)).size > 0)
        throw conflict(from, from.name, 'a plan is changing an object that refers to it: try again later')
}

function renamed(records: readonly StoredState[], { from, to, isAll }: MovedObject): Operation[] {
  const [old, now] = [refToText(from), refToText(to)]
  const names = (dependencies: readonly string[]) =>
    isAll ? dependencies.map((text) => (text === old ? now : text)) : [...new Set([...dependencies, now])]
  const users = new Map(records.map(({ ref }) => [refToText(ref), ref]))
  const edges = (target: ResourceRef) =>
    [...users.values()].map((dependent) => ({ target, attribute: wholeObject, dependent }))
  const instances = new Map(
    records.map((state) => [`${refToText(state.ref)} ${instanceToText(state.instance)}`, state]),
  )
  return [
    ...records.map(({ record, revision, ...slot }): Operation => {
      const put = putState(slot, { ...record, dependencies: names(record.dependencies) })
      return { ...put, expect: revision } as Operation
    }),
    ...[...instances.values()].map(
      (state): Operation => ({ kind: 'delete', key: journalKey(state), expect: 'absent' }),
    ),
    ...edgeOperations('applied', isAll ? edges(from) : [], edges(to)),
  ]
}

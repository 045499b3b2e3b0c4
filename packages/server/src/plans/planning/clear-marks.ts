import { type Estate, type MarkKind, markKey } from '../../estate/index.ts'
import type { ResourceRef } from '../../model/index.ts'
import type { DeleteOperation, Revision } from '../../storage/index.ts'

/** Selects the marks to remove: those written up to a revision, and those that a plan wrote for itself. */
export interface HandledMarks {
  readonly since: Revision
  /** The uid of the plan. */
  readonly by?: string
}

/** Removes marks of objects, many in one commit. A mark that was written later stays, because it stands for a newer change. */
export async function clearMarks(
  estate: Estate,
  refs: Iterable<ResourceRef>,
  kinds: readonly MarkKind[],
  { since, by }: HandledMarks,
): Promise<void> {
  let operations: DeleteOperation[] = []
  for (const ref of refs) {
    for (const kind of kinds) {
      const mark = await estate.mark(ref, kind)
      if (mark === undefined || (mark.revision > since && (by === undefined || mark.by !== by))) continue
      operations.push({ kind: 'delete', key: markKey(ref, kind), expect: mark.revision })
    }
    if (operations.length < perCommit) continue
    await remove(estate, operations)
    operations = []
  }
  await remove(estate, operations)
}

const perCommit = 500

// If one mark was rewritten concurrently, the others are removed one by one.
async function remove(estate: Estate, operations: readonly DeleteOperation[]): Promise<void> {
  if (operations.length === 0) return
  const outcome = await estate.commit({ operations })
  if (outcome.kind === 'refused' && operations.length > 1)
    for (const operation of operations) await estate.commit({ operations: [operation] })
}

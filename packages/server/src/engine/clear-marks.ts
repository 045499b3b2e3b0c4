import { type Estate, type MarkKind, markKey } from '../estate/index.ts'
import type { NodePlace } from '../plan/index.ts'
import type { DeleteOperation, Revision } from '../storage/index.ts'

/** Which marks are dealt with: those that were made before something was looked at, and those that a plan made for itself. */
export interface DealtWith {
  readonly since: Revision
  /** The uid of the plan. */
  readonly by?: string
}

/** Takes marks of objects away, many in a commit. A mark that was made anew since is somebody's newer wish and stays. */
export async function clearMarks(
  estate: Estate,
  nodes: Iterable<NodePlace>,
  kinds: readonly MarkKind[],
  { since, by }: DealtWith,
): Promise<void> {
  let operations: DeleteOperation[] = []
  for (const node of nodes) {
    for (const kind of kinds) {
      const mark = await estate.mark(node, kind)
      if (mark === undefined || (mark.revision > since && (by === undefined || mark.by !== by))) continue
      operations.push({ kind: 'delete', key: markKey(node, kind), expect: mark.revision })
    }
    if (operations.length < together) continue
    await remove(estate, operations)
    operations = []
  }
  await remove(estate, operations)
}

const together = 500

// One that was made anew in this very moment spares only itself.
async function remove(estate: Estate, operations: readonly DeleteOperation[]): Promise<void> {
  if (operations.length === 0) return
  const outcome = await estate.commit({ operations })
  if (outcome.kind === 'refused' && operations.length > 1)
    for (const operation of operations) await estate.commit({ operations: [operation] })
}

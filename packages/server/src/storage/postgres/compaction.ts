import type { Revision } from '../contract.ts'
import type { Key } from '../key.ts'
import { checkReached } from '../revision-check.ts'
import type { Session } from './session.ts'
import { rowKind, type Statements } from './statements.ts'
import { bigIntegers, byteArrays } from './wire.ts'

/**
 * Compacts to a revision. The counter is updated first, so that no reader relies on rows that are then deleted. A
 * change at or before the revision makes the row it replaced unreachable, and a delete itself too. Both are found by
 * reading the log from the end of the last compaction, so the cost follows the number of changes. An interrupted
 * compaction resumes.
 */
export async function compactLog(session: Session, statements: Statements, revision: Revision): Promise<Revision> {
  const before = await readState(session, statements)
  checkReached(revision, before.now)
  await session.query(statements.raiseCompacted, [revision])
  const { compacted, cleaned } = await readState(session, statements)
  for (let from: Revision | undefined = cleaned; from !== undefined; ) {
    from = await cleanStep(session, statements, from, compacted)
  }
  await session.query(statements.deleteBatches, [compacted])
  return compacted
}

async function readState(session: Session, statements: Statements): Promise<State> {
  const [state] = await session.query<State>(statements.compactionState)
  return state!
}

// Deletes the rows made unreachable by one part of the log. Returns the position to continue from, or undefined at the
// end.
async function cleanStep(
  session: Session,
  statements: Statements,
  from: Revision,
  to: Revision,
): Promise<Revision | undefined> {
  const rows = await session.query<LoggedRow>(statements.compactionStep, [from, to, rowsAtOnce])
  const deletes = rows.filter((row) => row.kind === rowKind.delete)
  const unneeded = [
    ...rows.flatMap((row) => (row.previous === null ? [] : [row.previous])),
    ...deletes.map((row) => row.revision),
  ]
  // A tombstone is removed from `current` before its row in the log: a writer that recreates the key then finds both or
  // neither.
  const steps = [
    deletes.length > 0
      ? session.query(statements.deleteTombstones, [byteArrays(deletes.map((row) => row.key)), to])
      : [],
    unneeded.length > 0 ? session.query(statements.deleteLog, [bigIntegers(unneeded)]) : [],
  ]
  await Promise.all(steps)
  const reached = rows.length < rowsAtOnce ? to : rows.at(-1)!.revision
  await session.query(statements.setCleaned, [reached])
  return rows.length < rowsAtOnce ? undefined : reached
}

interface State {
  readonly now: Revision
  readonly compacted: Revision
  readonly cleaned: Revision
}

interface LoggedRow {
  readonly revision: Revision
  readonly key: Key
  readonly kind: number
  readonly previous: Revision | null
}

const rowsAtOnce = 1_000

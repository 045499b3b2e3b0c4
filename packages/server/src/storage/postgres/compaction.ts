import type { Revision } from '../contract.ts'
import type { Key } from '../key.ts'
import { checkReached } from '../revision-check.ts'
import type { Session } from './session.ts'
import { rowKind, type Statements } from './statements.ts'
import { bigIntegers, byteArrays } from './wire.ts'

/**
 * Compacts to a revision. The counter says so first, so that no reader relies on what then goes. A change at or before the
 * revision makes the row it replaced unneeded, and a delete itself too; both are found by going along the log from where
 * the last compaction ended, so it costs what changed. Interrupted, it goes on where it was the next time.
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

// Cleans what one stretch of the log made unneeded. Returns where to go on; undefined at the end.
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
  // A tombstone goes before its row in the log: whoever recreates the key then finds either both or nothing to point at.
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

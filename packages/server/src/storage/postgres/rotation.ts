import type { Revision, RotateOptions } from '../contract.ts'
import type { Sealer } from '../encryption/sealer.ts'
import { encodeKey, type Key, keyRangeEnd } from '../key.ts'
import type { SpaceTable } from '../space-table.ts'
import type { Session } from './session.ts'
import type { Statements } from './statements.ts'

/** Re-encrypts values of older keys in place, in steps of a few hundred rows. Returns the number of rewritten rows. */
export async function rotateSealed(
  session: Session,
  statements: Statements,
  table: SpaceTable,
  sealer: Sealer,
  now: Revision,
  { signal, progress }: RotateOptions = {},
): Promise<number> {
  let rewritten = 0
  for (const space of table.byName.values()) {
    if (space.encrypted !== true) continue
    const prefix = encodeKey(space.name, [])
    const rotate = space.history ? rotateLog : rotatePlain
    const before = rewritten
    const step = (count: number) => progress?.(before + count)
    rewritten += await rotate({ session, statements, sealer, prefix, now, signal, step })
  }
  return rewritten
}

interface Rotation {
  readonly session: Session
  readonly statements: Statements
  readonly sealer: Sealer
  readonly prefix: Key
  readonly now: Revision
  readonly signal: AbortSignal | undefined
  readonly step: (rewritten: number) => void
}

async function rotateLog({ session, statements, sealer, prefix, now, signal, step }: Rotation): Promise<number> {
  let rewritten = 0
  for (let from = 0; signal?.aborted !== true; ) {
    const bounds = [from, now, prefix, keyRangeEnd(prefix), rowsAtOnce]
    const rows = await session.query<SealedRow>(statements.sealedLog, bounds)
    const old = rows.filter((row) => !sealer.isCurrent(row.value))
    await Promise.all(old.map((row) => session.query(statements.resealLog, [row.revision, reseal(sealer, row)])))
    rewritten += old.length
    step(rewritten)
    if (rows.length < rowsAtOnce) break
    from = rows.at(-1)!.revision
  }
  return rewritten
}

// A row that was written concurrently has another revision, and is skipped.
async function rotatePlain({ session, statements, sealer, prefix, signal, step }: Rotation): Promise<number> {
  let rewritten = 0
  for (let from: Uint8Array = prefix; signal?.aborted !== true; ) {
    const rows = await session.query<SealedRow>(statements.sealedPlain, [from, keyRangeEnd(prefix), rowsAtOnce])
    const old = rows.filter((row) => !sealer.isCurrent(row.value))
    await Promise.all(
      old.map((row) => session.query(statements.resealPlain, [row.key, row.revision, reseal(sealer, row)])),
    )
    rewritten += old.length
    step(rewritten)
    if (rows.length < rowsAtOnce) break
    from = rows.at(-1)!.key
  }
  return rewritten
}

function reseal(sealer: Sealer, { key, revision, value }: SealedRow): Uint8Array {
  return sealer.seal(key, revision, sealer.open(key, revision, value))
}

interface SealedRow {
  readonly revision: Revision
  readonly key: Key
  readonly value: Uint8Array
}

const rowsAtOnce = 200

import { createBackoff, messageOf } from '@hykube/machinery/base'
import type { ChangeBatch, CommitOutcome, Group, Revision } from '../contract.ts'
import { newIncarnation } from '../incarnation.ts'
import type { Key } from '../key.ts'
import { rangeHolds } from '../key-range.ts'
import type { SpaceTable } from '../space-table.ts'
import { StorageError } from '../storage-error.ts'
import { currentColumns, logColumns, plainColumns } from './batch-columns.ts'
import { type BatchPlan, type KeyState, keyText, planBatch } from './batch-plan.ts'
import { isConflict, isConnectionFailure, isReadOnly, storageFailure } from './failure.ts'
import { notification } from './notification.ts'
import type { CompletePostgresOptions } from './postgres-options.ts'
import type { CounterRow } from './reading.ts'
import { applicationName, Session } from './session.ts'
import type { Statements } from './statements.ts'
import type { StoreIdentity } from './store-identity.ts'
import { byteArrays } from './wire.ts'

/** Called after a batch is durable with the previous revision and the changes. */
export type Published = (from: Revision, batch: ChangeBatch) => void

/**
 * Writes groups. All waiting groups share one transaction: it locks the counter, reads the state of their keys, decides
 * each group, and writes with one statement per table. Two round trips and one flush serve hundreds of groups.
 *
 * Each transaction also stores a token. When the connection breaks during COMMIT, the next connection takes the
 * counter's lock, which the lost transaction held until its end, and reads from the token whether it was committed. So
 * callers get a definite result unless the database is unreachable for longer than `outageTimeout`.
 */
export class Committer {
  readonly #options: CompletePostgresOptions
  readonly #statements: Statements
  readonly #table: SpaceTable
  readonly #channel: string | undefined
  readonly #identity: StoreIdentity
  readonly #published: Published
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined
  #session: Session | undefined
  #batch = 0

  constructor(
    options: CompletePostgresOptions,
    statements: Statements,
    table: SpaceTable,
    channel: string | undefined,
    identity: StoreIdentity,
    published: Published,
  ) {
    this.#options = options
    this.#statements = statements
    this.#table = table
    this.#channel = channel
    this.#identity = identity
    this.#published = published
  }

  commit(group: Group): Promise<CommitOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ group, since: this.#options.clock.monotonic(), resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Completes pending commits, then closes the connection. */
  async close(): Promise<void> {
    await this.#running
    await this.#session?.end()
  }

  async #run(): Promise<void> {
    // Commits of the same turn of the event loop share a batch.
    await Promise.resolve()
    while (this.#waiting.length > 0) await this.#write(this.#take())
    this.#running = undefined
  }

  #take(): Waiting[] {
    let operations = 0
    let bytes = 0
    let count = 0
    while (count < this.#waiting.length && operations < maxOperations && bytes < maxBytes) {
      for (const operation of this.#waiting[count++]!.group.operations) {
        operations++
        if (operation.kind !== 'delete-range') bytes += operation.value?.length ?? 0
      }
    }
    return this.#waiting.splice(0, count)
  }

  async #write(batch: Waiting[]): Promise<void> {
    try {
      const { from, plan, token } = await this.#persist(batch)
      if (plan.now > from) {
        this.#identity.noteSeen(plan.now, { batch: plan.now, token })
        this.#published(from, plan.changes)
      }
      for (const [index, { resolve }] of batch.entries()) resolve(plan.outcomes[index]!)
    } catch (error) {
      for (const { reject } of batch) reject(storageFailure(error, 'commit'))
    }
  }

  // Before COMMIT is sent a batch can simply be retried; afterwards its outcome must be determined first.
  async #persist(batch: Waiting[]): Promise<Written> {
    const { clock, outageTimeout } = this.#options
    // Commits that waited behind others for all of their `outageTimeout` still get one attempt.
    const deadline = Math.max(batch[0]!.since + outageTimeout, clock.monotonic() + outageTimeout / 4)
    const backoff = createBackoff({ initial: 10, maximum: 1_000 })
    const number = ++this.#batch
    let sent: Written | undefined
    for (;;) {
      try {
        if (sent !== undefined && (await this.#wasMade(number))) return sent
        sent = undefined
        return await this.#transact(batch, number, (written) => {
          sent = written
        })
      } catch (error) {
        const wait = backoff.next()
        if (isReadOnly(error)) this.#session?.close()
        const definite = !isConnectionFailure(error) && !(error instanceof StorageError)
        // The server rejected a statement, so it rolled the transaction back.
        if (definite) sent = undefined
        const repeatable = isConflict(error) || isReadOnly(error) || !definite
        if (!repeatable || isPermanent(error) || clock.monotonic() + wait > deadline) {
          throw sent === undefined ? error : unknownOutcome(error)
        }
        await clock.sleep(wait)
      }
    }
  }

  async #transact(batch: Waiting[], number: number, sending: (written: Written) => void): Promise<Written> {
    const session = await this.#connected()
    try {
      const groups = batch.map(({ group }) => group)
      const { now, states } = await this.#lock(session, groups)
      const plan = planBatch(this.#table, this.#options.sealer, groups, now, states)
      const written = { from: now, plan, token: newIncarnation() }
      if (plan.now === now) {
        await session.query('ROLLBACK')
        return written
      }
      const rangeKeys = await this.#keysOfRanges(session, plan)
      sending(written)
      await this.#send(session, written, rangeKeys, number)
      return written
    } catch (error) {
      // No transaction may be left open for the next attempt.
      session.query('ROLLBACK').catch(() => {})
      throw error
    }
  }

  async #lock(session: Session, groups: readonly Group[]): Promise<{ now: Revision; states: KeyState[] }> {
    const { logged, plain } = this.#keysOf(groups)
    const { currentOf, plainOf } = this.#statements
    const [, now, current, unlogged] = await allAnswers([
      session.query('BEGIN ISOLATION LEVEL READ COMMITTED'),
      this.#lockCounter(session),
      logged.length > 0 ? session.query<KeyState>(currentOf, [byteArrays(logged)]) : [],
      plain.length > 0 ? session.query<{ key: Key; revision: number }>(plainOf, [byteArrays(plain)]) : [],
    ] as const)
    const states = [...current, ...unlogged.map((row) => ({ ...row, deleted: false }))]
    return { now, states }
  }

  async #lockCounter(session: Session): Promise<Revision> {
    const { seen } = this.#identity
    const { lockCounter, counter } = this.#statements
    // A statement that waited for the lock has an older snapshot than the row it got; the next statement sees
    // everything.
    const [, rows] = await allAnswers([
      session.query(lockCounter),
      session.query<CounterRow>(counter, [seen.batch]),
    ] as const).catch((error: unknown) => {
      throw this.#identity.failureFor(error)
    })
    this.#identity.check(rows[0], seen)
    return rows[0]!.now
  }

  // Reads only keys whose state matters: those with an expectation, and those with history for their previous revision.
  #keysOf(groups: readonly Group[]): { logged: Key[]; plain: Key[] } {
    const keys = new Map<string, Key>()
    for (const { operations, conditions = [] } of groups) {
      for (const { key } of conditions) keys.set(keyText(key), key)
      for (const operation of operations) {
        if (operation.kind !== 'delete-range') keys.set(keyText(operation.key), operation.key)
      }
    }
    const logged: Key[] = []
    const plain: Key[] = []
    for (const key of keys.values()) (this.#table.of(key).history ? logged : plain).push(key)
    return { logged, plain }
  }

  // A range with open segments is not a single span, so its keys are listed first.
  async #keysOfRanges(session: Session, { ranges }: BatchPlan): Promise<Key[]> {
    const keys: Key[] = []
    for (const range of ranges.filter(({ pattern }) => pattern.length > 0)) {
      const everything = Number.MAX_SAFE_INTEGER
      const { lower, upper } = range.whole
      const rows = await session.query<KeyState>(this.#statements.plainKeys, [lower, upper, everything])
      for (const { key } of rows) if (rangeHolds(range, key)) keys.push(key)
    }
    return keys
  }

  async #send(session: Session, { plan, token }: Written, rangeKeys: readonly Key[], number: number): Promise<void> {
    const to = this.#statements
    const { log, current, ranges, plainDeletes, plainPuts, now } = plan
    const answers: Promise<unknown>[] = []
    for (const { whole, pattern } of ranges) {
      if (pattern.length === 0) answers.push(session.query(to.deletePlainSpan, [whole.lower, whole.upper]))
    }
    const deletes = [...rangeKeys, ...plainDeletes]
    if (deletes.length > 0) answers.push(session.query(to.deletePlain, [byteArrays(deletes)]))
    if (plainPuts.length > 0) answers.push(session.query(to.upsertPlain, plainColumns(plainPuts)))
    if (log.length > 0) answers.push(session.query(to.insertLog, logColumns(log)))
    if (current.length > 0) answers.push(session.query(to.upsertCurrent, currentColumns(current)))
    answers.push(
      session.query(to.setCounter, [now, token, log.at(-1)?.revision ?? null]),
      session.query(to.setWriter, [this.#options.writer, number]),
    )
    if (this.#channel !== undefined)
      answers.push(
        session.query(to.notify, [this.#channel, notification(now, this.#options.writer, this.#identity.text)]),
      )
    const commit = session.command('COMMIT')
    await allAnswers([...answers, commit])
    if ((await commit).command !== 'COMMIT') throw new Error('the transaction was rolled back')
  }

  async #wasMade(number: number): Promise<boolean> {
    // The lost connection's transaction may still run: it is terminated, and the lock waits until it has ended.
    const session = await this.#connected()
    const { endSession, writerBatch } = this.#statements
    await session.query(endSession, [applicationName(this.#options, 'writer')]).catch(() => {})
    const [, , noted] = await allAnswers([
      session.query('BEGIN ISOLATION LEVEL READ COMMITTED'),
      this.#lockCounter(session),
      session.query<{ batch: number }>(writerBatch, [this.#options.writer]),
      session.query('COMMIT'),
    ] as const)
    return noted[0]?.batch === number
  }

  async #connected(): Promise<Session> {
    if (this.#session?.isAlive === true) return this.#session
    this.#session?.close()
    this.#session = await Session.connect(this.#options, 'writer')
    return this.#session
  }
}

interface Waiting {
  readonly group: Group
  readonly since: number
  readonly resolve: (outcome: CommitOutcome) => void
  readonly reject: (error: Error) => void
}

interface Written {
  /** Revision before the batch. */
  readonly from: Revision
  readonly plan: BatchPlan
  /** Random; stored with the batch. */
  readonly token: number
}

const maxOperations = 1_000
const maxBytes = 4 * 1024 * 1024

/** Waits for all statements, so that none is left running, and throws the first error. */
async function allAnswers<T extends readonly unknown[]>(
  answers: T,
): Promise<{ -readonly [I in keyof T]: Awaited<T[I]> }> {
  await Promise.allSettled(answers)
  return Promise.all(answers) as Promise<{ -readonly [I in keyof T]: Awaited<T[I]> }>
}

function unknownOutcome(cause: unknown): StorageError {
  const message = messageOf(cause)
  return new StorageError(
    'unknown-outcome',
    `the outcome of the commit is unknown: the connection broke (${message})`,
    {
      cause,
    },
  )
}

function isPermanent(error: unknown): boolean {
  return error instanceof StorageError && error.failure !== 'unavailable'
}

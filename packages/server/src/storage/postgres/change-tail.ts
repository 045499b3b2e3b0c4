import { createBackoff } from '@hykube/machinery/base'
import type { ChangesHub } from '../changes-hub.ts'
import type { Change, ChangeBatch, Revision } from '../contract.ts'
import type { Key } from '../key.ts'
import type { SpaceTable } from '../space-table.ts'
import { notifiedRevision } from './notification.ts'
import type { CompletePostgresOptions } from './postgres-options.ts'
import type { ReaderPool } from './reader-pool.ts'
import type { Counter, Reading } from './reading.ts'
import { Session } from './session.ts'
import { rowKind, type Statements } from './statements.ts'

/** Reads the log for followers: whole groups, about a megabyte at a time. */
export class LogReader {
  readonly #pool: ReaderPool
  readonly #statements: Statements
  readonly #table: SpaceTable
  readonly #reading: Reading
  readonly #learned: (counter: Counter) => void

  constructor(
    pool: ReaderPool,
    statements: Statements,
    table: SpaceTable,
    reading: Reading,
    learned: (counter: Counter) => void,
  ) {
    this.#pool = pool
    this.#statements = statements
    this.#table = table
    this.#reading = reading
    this.#learned = learned
  }

  /** Changes after a revision, up to another that is the end of a group. */
  async read(after: Revision, to = Number.MAX_SAFE_INTEGER): Promise<ChangeBatch> {
    const rows = await this.#pool.query<LogRow>(this.#statements.readLog, [after, mostRows, mostBytes, to])
    const { now, compacted } = rows[0]!
    this.#learned({ now, compacted })
    const found = rows.filter((row) => row.revision !== null)
    const { whole, revision } = await this.#wholeGroups(found, after, Math.min(now, to))
    return { changes: await this.#changesOf(whole), revision }
  }

  // The last group may have been cut. Unless it is alone it is left for the next time.
  async #wholeGroups(rows: LogRow[], after: Revision, end: Revision): Promise<{ whole: LogRow[]; revision: Revision }> {
    const last = rows.at(-1)
    const bytes = rows.reduce((sum, row) => sum + row.value.length, 0)
    if (last === undefined || (rows.length < mostRows && bytes < mostBytes)) return { whole: rows, revision: end }
    const earlier = rows.findLast((row) => row.last !== last.last)
    if (earlier !== undefined) return { whole: rows.filter((row) => row.last !== last.last), revision: earlier.last }
    const group = await this.#pool.query<LogRow>(this.#statements.readGroup, [after, last.last])
    return { whole: group, revision: last.last }
  }

  async #changesOf(rows: readonly LogRow[]): Promise<Change[]> {
    const changes: Change[] = []
    for (const { key, revision, kind, previous, tag, value } of rows) {
      const space = this.#table.find(key)
      // Written by a server that knows more spaces.
      if (space === undefined || !space.history) continue
      const entry = await this.#reading.open(space, { key, revision, tag, value })
      changes.push({
        kind: kind === rowKind.delete ? 'delete' : 'put',
        revision,
        key,
        value: entry.value,
        tag,
        previous: kind === rowKind.create || previous === null ? undefined : previous,
      })
    }
    return changes
  }
}

/**
 * Keeps the hub up to date. What this server commits is published as it is; what others commit in between is read from
 * the log when it is noticed: by the gap before a commit of this server's own, by a notification, and by looking from time
 * to time in case one was lost.
 */
export class ChangeTail {
  readonly #options: CompletePostgresOptions
  readonly #hub: ChangesHub
  readonly #log: LogReader
  readonly #now: () => Promise<Revision>
  readonly #closing = new AbortController()
  readonly #loops: Promise<void>[] = []
  /** What this server committed and the hub has not told, in order. */
  #own: { readonly from: Revision; readonly batch: ChangeBatch }[] = []
  #tailing = false
  #again = false
  #session: Session | undefined

  constructor(options: CompletePostgresOptions, hub: ChangesHub, log: LogReader, now: () => Promise<Revision>) {
    this.#options = options
    this.#hub = hub
    this.#log = log
    this.#now = now
  }

  /** Begins to look, and to listen where there is a channel. */
  start(channel: string | undefined): void {
    this.#loops.push(this.#poll(channel === undefined ? Math.min(50, this.#options.poll) : this.#options.poll))
    if (channel !== undefined) this.#loops.push(this.#listen(channel))
  }

  /** A batch of this server is durable. */
  published(from: Revision, batch: ChangeBatch): void {
    if (batch.revision <= this.#hub.head) return
    if (this.#hub.followers === 0 && !this.#tailing) this.#hub.skip(batch.revision)
    else if (this.#hub.head === from && !this.#tailing) this.#hub.publish(batch)
    else {
      // Beyond some batches it is cheaper to read them again than to keep them.
      if (this.#own.push({ from, batch }) > mostOwn) this.#own = []
      this.wake(batch.revision)
    }
  }

  /** Revisions up to this one are visible: reads what the hub has not told. */
  wake(revision: Revision): void {
    if (revision <= this.#hub.head || this.#closing.signal.aborted) return
    if (this.#tailing) this.#again = true
    else void this.#tail()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#session?.end()
    await Promise.all(this.#loops)
  }

  async #tail(): Promise<void> {
    this.#tailing = true
    try {
      do {
        this.#again = false
        if (this.#hub.followers === 0) this.#hub.skip(await this.#now())
        else await this.#catchUp()
      } while (this.#again)
    } catch (error) {
      // The next look comes with the next notification or poll.
      if (!this.#closing.signal.aborted) this.#options.report(`cannot read changes: ${(error as Error).message}`)
    } finally {
      this.#tailing = false
    }
  }

  async #catchUp(): Promise<void> {
    for (;;) {
      const head = this.#hub.head
      while (this.#own.length > 0 && this.#own[0]!.from < head) this.#own.shift()
      const own = this.#own[0]
      const batch = own?.from === head ? own.batch : await this.#log.read(head, own?.from)
      if (batch.revision <= head) return
      this.#hub.publish(batch)
    }
  }

  async #poll(every: number): Promise<void> {
    const { clock } = this.#options
    const { signal } = this.#closing
    while (!signal.aborted) {
      await clock.sleep(every, signal).catch(() => {})
      if (signal.aborted || this.#hub.followers === 0) continue
      const now = await this.#now().catch(() => 0)
      this.wake(now)
    }
  }

  async #listen(channel: string): Promise<void> {
    const { clock } = this.#options
    const { signal } = this.#closing
    const backoff = createBackoff({ initial: 50, maximum: 5_000 })
    while (!signal.aborted) {
      try {
        await this.#listenUntilLost(channel, () => backoff.reset())
      } catch (error) {
        if (!signal.aborted) this.#options.report(`cannot listen for changes: ${(error as Error).message}`)
      }
      await clock.sleep(backoff.next(), signal).catch(() => {})
    }
  }

  #hear(payload: string): void {
    const revision = notifiedRevision(payload, this.#options.writer)
    if (revision !== undefined) this.wake(revision)
  }

  async #listenUntilLost(channel: string, listening: () => void): Promise<void> {
    const session = await Session.connect(this.#options, 'listener')
    this.#session = session
    const lost = new Promise<void>((resolve) => session.onLost(resolve))
    if (this.#closing.signal.aborted) return session.close()
    await session.listen(channel, (payload) => this.#hear(payload))
    listening()
    // What was notified while nobody listened.
    this.wake(await this.#now())
    await lost
  }
}

interface LogRow extends Counter {
  readonly revision: Revision
  readonly last: Revision
  readonly key: Key
  readonly kind: number
  readonly previous: Revision | null
  readonly tag: number
  readonly value: Uint8Array
}

const mostOwn = 16
const mostRows = 1_000
const mostBytes = 1024 * 1024

import { createBackoff } from '@hykube/machinery/base'
import type { ChangesHub } from '../changes-hub.ts'
import type { ChangeBatch, Revision } from '../contract.ts'
import { StorageError } from '../storage-error.ts'
import type { LogReader } from './log-reader.ts'
import { parseNotification } from './notification.ts'
import type { CompletePostgresOptions } from './postgres-options.ts'
import { Session } from './session.ts'
import type { StoreIdentity } from './store-identity.ts'

/**
 * Keeps the hub up to date. Commits of this server are published directly. Commits of other servers are read from the
 * log when they are noticed: by a gap before an own commit, by a notification, or by polling in case one was lost.
 */
export class ChangeTail {
  readonly #options: CompletePostgresOptions
  readonly #hub: ChangesHub
  readonly #log: LogReader
  readonly #now: () => Promise<Revision>
  readonly #identity: StoreIdentity
  readonly #closing = new AbortController()
  readonly #loops: Promise<void>[] = []
  /** Own batches that the hub has not published yet, in order. */
  #own: { readonly from: Revision; readonly batch: ChangeBatch }[] = []
  #tailing = false
  #again = false
  #session: Session | undefined

  constructor(
    options: CompletePostgresOptions,
    hub: ChangesHub,
    log: LogReader,
    identity: StoreIdentity,
    now: () => Promise<Revision>,
  ) {
    this.#options = options
    this.#hub = hub
    this.#log = log
    this.#identity = identity
    this.#now = now
  }

  /** Starts polling, and listening when there is a channel. */
  start(channel: string | undefined): void {
    this.#loops.push(this.#poll(channel === undefined ? Math.min(50, this.#options.poll) : this.#options.poll))
    if (channel !== undefined) this.#loops.push(this.#listen(channel))
  }

  /** Call it when a batch of this server is durable. */
  published(from: Revision, batch: ChangeBatch): void {
    if (batch.revision <= this.#hub.head) return
    if (this.#hub.followers === 0 && !this.#tailing) this.#hub.skip(batch.revision)
    else if (this.#hub.head === from && !this.#tailing) this.#hub.publish(batch)
    else {
      // Above this number it is cheaper to read batches again than to keep them.
      if (this.#own.push({ from, batch }) > maxOwn) this.#own = []
      this.wake(batch.revision)
    }
  }

  /** Revisions up to this one are visible: reads those that the hub lacks. */
  wake(revision: Revision): void {
    if (revision <= this.#hub.head || this.#closing.signal.aborted) return
    if (this.#tailing) this.#again = true
    else if (this.#hub.followers === 0) this.#hub.skip(revision)
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
      // The next notification or poll tries again.
      if (!this.#closing.signal.aborted && !isReplaced(error))
        this.#options.report(`cannot read changes: ${(error as Error).message}`)
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
        if (!signal.aborted && !isReplaced(error))
          this.#options.report(`cannot listen for changes: ${(error as Error).message}`)
      }
      await clock.sleep(backoff.next(), signal).catch(() => {})
    }
  }

  #onNotification(payload: string): void {
    const notification = parseNotification(payload, this.#options.writer)
    if (notification === undefined) return
    try {
      this.#identity.checkText(notification.identity)
      this.wake(notification.revision)
    } catch {
      // The identity check has reported the difference, and the server exits.
    }
  }

  async #listenUntilLost(channel: string, listening: () => void): Promise<void> {
    const session = await Session.connect(this.#options, 'listener')
    this.#session = session
    const lost = new Promise<void>((resolve) => session.onLost(resolve))
    if (this.#closing.signal.aborted) return session.close()
    await session.listen(channel, (payload) => this.#onNotification(payload))
    listening()
    // Catches up with notifications sent before listening.
    this.wake(await this.#now())
    await lost
  }
}

const maxOwn = 16

// The identity check has reported it.
function isReplaced(error: unknown): boolean {
  return error instanceof StorageError && error.failure === 'replaced'
}

import { Worker } from 'node:worker_threads'
import type { SqliteDriverName } from './drivers/driver.ts'
import { writtenState } from './file-identity.ts'
import { pageBytes } from './schema.ts'

/** Message to the checkpointing thread. */
export type CheckpointOrder = { readonly kind: 'held' } | { readonly kind: 'close' }

/** Message from the thread. */
export type CheckpointReport =
  /** A pass has ended: `frames` are in the WAL, and `done` of them are in the database. */
  | { readonly kind: 'passed'; readonly frames: number; readonly done: number }
  /** Asks for a pause of writes, to finish the checkpoint and let the WAL restart. */
  | { readonly kind: 'hold' }
  /** The pause is over. */
  | { readonly kind: 'released'; readonly frames: number; readonly done: number }
  | { readonly kind: 'failed'; readonly message: string }
  /** Another program wrote to the database file; checkpointing has stopped. */
  | { readonly kind: 'overwritten' }

export interface CheckpointerOptions {
  readonly file: string
  readonly driver: SqliteDriverName
  /** Above this size the thread asks for a pause of writes. */
  readonly softBytes: number
  /** Above this size writes wait until the WAL is shorter. */
  readonly hardBytes: number
  readonly report: (message: string) => void
  /** Called when another program wrote to the database file. */
  readonly overwritten: () => void
}

/**
 * Checkpoints the write-ahead log on another thread, so that commits do not wait for it. Under constant writes a
 * checkpoint never reaches the end of the WAL, which would grow without bound. Therefore above a limit the thread asks
 * for a pause of writes and finishes the few frames left; the next commit then restarts the WAL.
 */
export class Checkpointer {
  readonly #options: CheckpointerOptions
  #worker: Worker | undefined
  #exited: Promise<unknown> = Promise.resolve()
  /** Approximate size of the WAL. */
  #walBytes = 0
  #mostWalBytes = 0
  /** State of the database file while the thread is not running; undefined when unknown. */
  #written: string | undefined
  #held = false
  #closing = false
  #waiting: (() => void)[] = []

  constructor(options: CheckpointerOptions) {
    this.#options = options
    this.#written = writtenState(options.file)
  }

  /** True when another program wrote to the database file. While the thread runs, the thread checks it. */
  get isOverwritten(): boolean {
    return (
      this.#worker === undefined && this.#written !== undefined && writtenState(this.#options.file) !== this.#written
    )
  }

  /** True when writers have to wait for {@link writable}. */
  get blocks(): boolean {
    return this.#held || (this.#walBytes >= this.#options.hardBytes && this.#worker !== undefined)
  }

  get walBytes(): number {
    return this.#walBytes
  }

  /** Largest approximate size of the WAL so far. */
  get mostWalBytes(): number {
    return this.#mostWalBytes
  }

  /** Resolves when writes may continue. */
  writable(): Promise<void> {
    if (!this.blocks) return Promise.resolve()
    // A writer waits for the thread now, so it must keep the process alive.
    this.#worker?.ref()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Counts the bytes of a commit. A short WAL needs no thread. */
  wrote(bytes: number): void {
    this.#walBytes += bytes + pagesBesides * pageBytes
    if (this.#walBytes > this.#mostWalBytes) this.#mostWalBytes = this.#walBytes
    if (this.#worker === undefined && this.#walBytes > startBytes) this.#start()
  }

  /** Ends the thread after its current pass. */
  async close(): Promise<void> {
    this.#closing = true
    this.#release()
    this.#worker?.ref()
    this.#worker?.postMessage({ kind: 'close' } satisfies CheckpointOrder)
    await this.#exited
    this.#worker = undefined
    this.#release()
  }

  #start(): void {
    const { file, driver, softBytes } = this.#options
    const worker = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
      workerData: { file, driver, softBytes, written: this.#written },
    })
    worker.unref()
    this.#worker = worker
    this.#written = undefined
    worker.on('message', (report: CheckpointReport) => this.#onReport(report))
    worker.on('error', (error: unknown) => this.#failed(String(error)))
    this.#exited = new Promise((resolve) => worker.once('exit', resolve))
  }

  #onReport(report: CheckpointReport): void {
    if (report.kind === 'overwritten') {
      this.#options.overwritten()
      return
    }
    if (report.kind === 'failed') {
      this.#options.report(`cannot checkpoint ${this.#options.file}: ${report.message}`)
      // Commits continue: a full disk makes them fail with their own error.
      this.#walBytes = 0
      this.#release()
      return
    }
    if (report.kind === 'hold') {
      this.#held = true
      this.#worker?.postMessage({ kind: 'held' } satisfies CheckpointOrder)
      return
    }
    // A WAL that is completely checkpointed restarts with the next commit.
    this.#walBytes = report.frames === report.done ? 0 : report.frames * (pageBytes + frameHeaderBytes)
    if (report.kind === 'released') this.#held = false
    if (!this.blocks) this.#release()
  }

  #failed(message: string): void {
    this.#options.report(`the checkpoint thread of ${this.#options.file} ended: ${message}`)
    this.#worker = undefined
    this.#walBytes = 0
    this.#release()
  }

  #release(): void {
    this.#held = false
    if (!this.#closing) this.#worker?.unref()
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

const startBytes = 1024 * 1024
// The last leaf of each table and its parents.
const pagesBesides = 3
const frameHeaderBytes = 24

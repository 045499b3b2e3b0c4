import { Worker } from 'node:worker_threads'
import type { SqliteDriverName } from './driver.ts'
import { writtenState } from './file-identity.ts'
import { pageBytes } from './schema.ts'

/** What the checkpointing thread is told. */
export type CheckpointOrder = { readonly kind: 'held' } | { readonly kind: 'close' }

/** What it tells. */
export type CheckpointReport =
  /** A pass has ended: so many frames are in the WAL, so many of them are in the database. */
  | { readonly kind: 'passed'; readonly frames: number; readonly done: number }
  /** Asks for a moment without writes, to finish and let the WAL begin anew. */
  | { readonly kind: 'hold' }
  /** The moment is over. */
  | { readonly kind: 'released'; readonly frames: number; readonly done: number }
  | { readonly kind: 'failed'; readonly message: string }
  /** The database file was written by another program; nothing is checkpointed into it any more. */
  | { readonly kind: 'overwritten' }

export interface CheckpointerOptions {
  readonly file: string
  readonly driver: SqliteDriverName
  /** From here on the thread asks for a moment without writes. */
  readonly softBytes: number
  /** From here on writes wait until the WAL is shorter. */
  readonly hardBytes: number
  readonly report: (message: string) => void
  /** Called when the thread finds that another program wrote to the database file. */
  readonly overwritten: () => void
}

/**
 * Brings what is in the write-ahead log into the database, on another thread so that no commit waits for it. Under constant
 * writes a checkpoint never reaches the end of the WAL, which then grows for ever: so above a bound the thread asks for a
 * moment without writes, finishes the little that is left, and the next commit begins the WAL anew.
 */
export class Checkpointer {
  readonly #options: CheckpointerOptions
  #worker: Worker | undefined
  #exited: Promise<unknown> = Promise.resolve()
  /** About how long the WAL is. */
  #walBytes = 0
  #mostWalBytes = 0
  /** What the database file looks like while no thread writes to it; undefined when that is not known. */
  #written: string | undefined
  #held = false
  #closing = false
  #waiting: (() => void)[] = []

  constructor(options: CheckpointerOptions) {
    this.#options = options
    this.#written = writtenState(options.file)
  }

  /** Whether another program wrote to the database file. While the thread runs, the thread looks for it. */
  get isOverwritten(): boolean {
    return (
      this.#worker === undefined && this.#written !== undefined && writtenState(this.#options.file) !== this.#written
    )
  }

  /** Whether writers have to wait, by {@link writable}. */
  get blocks(): boolean {
    return this.#held || (this.#walBytes >= this.#options.hardBytes && this.#worker !== undefined)
  }

  get walBytes(): number {
    return this.#walBytes
  }

  /** The most that the WAL is thought to have held. */
  get mostWalBytes(): number {
    return this.#mostWalBytes
  }

  /** Resolves when writing may go on. */
  writable(): Promise<void> {
    if (!this.blocks) return Promise.resolve()
    // The thread is now what the process waits for; otherwise it may end without it.
    this.#worker?.ref()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Notes what a commit wrote. A short WAL needs no thread. */
  wrote(bytes: number): void {
    this.#walBytes += bytes + pagesBesides * pageBytes
    if (this.#walBytes > this.#mostWalBytes) this.#mostWalBytes = this.#walBytes
    if (this.#worker === undefined && this.#walBytes > startBytes) this.#start()
  }

  /** Ends the thread when its pass has ended. */
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
    worker.on('message', (report: CheckpointReport) => this.#heard(report))
    worker.on('error', (error: unknown) => this.#failed(String(error)))
    this.#exited = new Promise((resolve) => worker.once('exit', resolve))
  }

  #heard(report: CheckpointReport): void {
    if (report.kind === 'overwritten') {
      this.#options.overwritten()
      return
    }
    if (report.kind === 'failed') {
      this.#options.report(`cannot checkpoint ${this.#options.file}: ${report.message}`)
      // Commits go on: when the disk is full they are the ones to say so.
      this.#walBytes = 0
      this.#release()
      return
    }
    if (report.kind === 'hold') {
      this.#held = true
      this.#worker?.postMessage({ kind: 'held' } satisfies CheckpointOrder)
      return
    }
    // A WAL that is wholly in the database begins anew with the next commit.
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
// The last leaf of each table and what is above them.
const pagesBesides = 3
const frameHeaderBytes = 24

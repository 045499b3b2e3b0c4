import type { CommitOutcome, Group } from '../contract.ts'

/** One caller that waits for its group. */
export interface PendingCommit {
  readonly group: Group
  readonly resolve: (outcome: CommitOutcome) => void
  readonly reject: (error: Error) => void
}

/** What the queue gives its commits to. */
export interface CommitSink {
  /** Whether writing has to wait; `writable` resolves when it may go on. */
  readonly blocks: boolean
  writable(): Promise<void>
  /** Commits all of them in one transaction and answers each; resolves when that is done. Never rejects. */
  write(commits: readonly PendingCommit[]): Promise<void>
}

/**
 * One transaction after the other. What is called while one waits for the disk is written together by the next: one
 * transaction, one wait.
 */
export class CommitQueue {
  readonly #sink: CommitSink
  #pending: PendingCommit[] = []
  #between: (() => void)[] = []
  /** Whether something is being written, or will be in a moment. */
  #busy = false
  #idle: (() => void)[] = []

  constructor(sink: CommitSink) {
    this.#sink = sink
  }

  /** Adds a group; the answer comes when it is durable. */
  add(group: Group): Promise<CommitOutcome> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ group, resolve, reject })
      this.#start()
    })
  }

  /** Does some work of the store's own while no transaction is under way. */
  between<T>(work: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#between.push(() => {
      try {
        resolve(work())
      } catch (error) {
        reject(error)
      }
    })
    this.#start()
    return promise
  }

  /** Resolves when nothing waits any more. */
  drained(): Promise<void> {
    return this.#busy ? new Promise((resolve) => this.#idle.push(resolve)) : Promise.resolve()
  }

  #start(): void {
    if (this.#busy) return
    this.#busy = true
    setImmediate(this.#step)
  }

  // One piece of the store's own work, and all the commits that fit: neither keeps the other waiting for long.
  readonly #step = async (): Promise<void> => {
    while (this.#sink.blocks) await this.#sink.writable()
    this.#between.shift()?.()
    if (this.#pending.length > 0) await this.#sink.write(this.#take())
    if (this.#pending.length > 0 || this.#between.length > 0) {
      setImmediate(this.#step)
      return
    }
    this.#busy = false
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  #take(): readonly PendingCommit[] {
    const pending = this.#pending
    const count = countTogether(pending)
    this.#pending = count === pending.length ? [] : pending.slice(count)
    return count === pending.length ? pending : pending.slice(0, count)
  }
}

// As many as a few milliseconds can write: others use the thread too.
const mostOperations = 1000
const mostBytes = 4 * 1024 * 1024

function countTogether(commits: readonly PendingCommit[]): number {
  let operations = 0
  let bytes = 0
  for (let at = 0; at < commits.length; at++) {
    for (const operation of commits[at]!.group.operations) {
      operations++
      if (operation.kind !== 'delete-range') bytes += operation.value?.length ?? 0
    }
    if (operations >= mostOperations || bytes >= mostBytes) return at + 1
  }
  return commits.length
}

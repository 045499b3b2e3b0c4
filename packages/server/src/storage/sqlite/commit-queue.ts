import type { CommitOutcome, Group } from '../contract.ts'
import { StorageError } from '../storage-error.ts'

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
  /** Commits all of them in one transaction and answers each. Never throws. */
  write(commits: readonly PendingCommit[]): void
}

/**
 * Collects what is called in one turn of the event loop and writes it together: one transaction, one wait for the disk. The
 * commit itself happens on this thread, because handing it to another costs a caller that is alone more than the commit.
 */
export class CommitQueue {
  readonly #sink: CommitSink
  #pending: PendingCommit[] = []
  #scheduled = false
  #idle: (() => void)[] = []

  constructor(sink: CommitSink) {
    this.#sink = sink
  }

  /** Adds a group; the answer comes when it is durable. */
  add(group: Group): Promise<CommitOutcome> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ group, resolve, reject })
      this.#schedule()
    })
  }

  /** Resolves when nothing waits any more. */
  drained(): Promise<void> {
    return this.#pending.length === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve))
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(this.#flush)
  }

  readonly #flush = (): void => {
    if (this.#sink.blocks) {
      this.#sink.writable().then(this.#flush, this.#refuse)
      return
    }
    this.#scheduled = false
    const count = countTogether(this.#pending)
    const commits = count === this.#pending.length ? this.#pending : this.#pending.slice(0, count)
    this.#pending = count === this.#pending.length ? [] : this.#pending.slice(count)
    this.#sink.write(commits)
    if (this.#pending.length > 0) this.#schedule()
    else for (const resolve of this.#idle.splice(0)) resolve()
  }

  readonly #refuse = (error: unknown): void => {
    const failure = new StorageError('unavailable', 'cannot commit: the store cannot be written', { cause: error })
    for (const commit of this.#pending.splice(0)) commit.reject(failure)
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

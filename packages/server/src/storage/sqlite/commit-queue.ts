import type { CommitOutcome, Group } from '../contract.ts'

/** A commit that waits for its result. */
export interface PendingCommit {
  readonly group: Group
  readonly resolve: (outcome: CommitOutcome) => void
  readonly reject: (error: Error) => void
}

/** Writes the commits of the queue. */
export interface CommitSink {
  /** True when writes have to wait; `writable` resolves when they may continue. */
  readonly blocks: boolean
  writable(): Promise<void>
  /** Writes the commits in one transaction and resolves each of them. Never rejects. */
  write(commits: readonly PendingCommit[]): Promise<void>
}

/**
 * Runs one transaction at a time. Commits that arrive while it waits for the disk share the next transaction and its
 * sync.
 */
export class CommitQueue {
  readonly #sink: CommitSink
  #pending: PendingCommit[] = []
  #between: (() => void)[] = []
  /** True while a transaction runs or is scheduled. */
  #busy = false
  #idle: (() => void)[] = []

  constructor(sink: CommitSink) {
    this.#sink = sink
  }

  /** Adds a group; resolves when it is durable. */
  add(group: Group): Promise<CommitOutcome> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ group, resolve, reject })
      this.#start()
    })
  }

  /** Runs work of the store itself between two transactions. */
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

  /** Resolves when the queue is empty. */
  drained(): Promise<void> {
    return this.#busy ? new Promise((resolve) => this.#idle.push(resolve)) : Promise.resolve()
  }

  #start(): void {
    if (this.#busy) return
    this.#busy = true
    setImmediate(this.#step)
  }

  // One piece of the store's own work, then all commits that fit, so that neither delays the other for long.
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

// As many operations as a few milliseconds can write, because other work shares the thread.
const maxOperations = 1000
const maxBytes = 4 * 1024 * 1024

function countTogether(commits: readonly PendingCommit[]): number {
  let operations = 0
  let bytes = 0
  for (let at = 0; at < commits.length; at++) {
    for (const operation of commits[at]!.group.operations) {
      operations++
      if (operation.kind !== 'delete-range') bytes += operation.value?.length ?? 0
    }
    if (operations >= maxOperations || bytes >= maxBytes) return at + 1
  }
  return commits.length
}

import { closeSync, fdatasync, openSync, realpathSync } from 'node:fs'

/**
 * Syncs the write-ahead log on another thread. SQLite's own sync would block the event loop, so it is disabled, and
 * each commit calls {@link sync} afterwards. Everything in the log at the time of the call is on disk when it resolves.
 * SQLite still orders log and database on checkpoints.
 */
export class WalSync {
  readonly #file: string
  #descriptor: number | undefined

  constructor(file: string) {
    this.#file = file
  }

  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#descriptor ??= openSync(`${realpathSync(this.#file)}-wal`, 'r+')
      fdatasync(this.#descriptor, (error) => {
        if (error === null) resolve()
        else reject(error)
      })
    })
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }
}

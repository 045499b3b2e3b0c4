import { closeSync, fdatasync, openSync, realpathSync } from 'node:fs'

/**
 * Waits for the disk on another thread. SQLite itself would wait on the one that commits, and everybody with it: so it is
 * told not to, and whoever commits asks here afterwards. What was in the write-ahead log when {@link sync} was called is on
 * the disk when it resolves; SQLite goes on to keep the order of the log and the database.
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

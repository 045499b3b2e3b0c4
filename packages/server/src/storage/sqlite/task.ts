import { Worker } from 'node:worker_threads'
import type { SqliteDriverName } from './drivers/driver.ts'

/** Long work on a database file, run on its own thread. */
export type Task =
  /**
   * Copies the current values consistently to another file, which exists and is empty; returns the revision of the
   * copy.
   */
  | { readonly kind: 'copy'; readonly driver: SqliteDriverName; readonly file: string; readonly to: string }
  /** Checks the file; returns the problems. */
  | { readonly kind: 'integrity'; readonly driver: SqliteDriverName; readonly file: string }

/** Runs a task and returns its result. */
export function runTask(task: Task): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./task-thread.ts', import.meta.url), { workerData: task })
    let answer: readonly string[] = []
    worker.once('message', (message: readonly string[]) => {
      answer = message
    })
    worker.once('error', reject)
    worker.once('exit', () => resolve(answer))
  })
}

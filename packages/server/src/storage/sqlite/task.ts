import { Worker } from 'node:worker_threads'
import type { SqliteDriverName } from './driver.ts'

/** Long work on a database file that has a thread of its own. */
export type Task =
  /** Copies what is there now, consistently, to another that exists and is empty; answers the revision of the copy. */
  | { readonly kind: 'copy'; readonly driver: SqliteDriverName; readonly file: string; readonly to: string }
  /** Checks the file; answers what is wrong. */
  | { readonly kind: 'integrity'; readonly driver: SqliteDriverName; readonly file: string }

/** Runs a task to its end; answers what it has to say. */
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

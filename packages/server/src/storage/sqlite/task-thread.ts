import { parentPort, workerData } from 'node:worker_threads'
import { copyDatabase } from './copy-database.ts'
import { loadSqliteDriver } from './drivers/load-driver.ts'
import type { Task } from './task.ts'

// Thread of one task, started by runTask.
const task = workerData as Task
const driver = await loadSqliteDriver(task.driver)
parentPort!.postMessage(
  task.kind === 'copy' ? [String(copyDatabase(driver, task.file, task.to))] : checkIntegrity(task.file),
)

function checkIntegrity(file: string): readonly string[] {
  const connection = driver.open(file)
  const lines = connection.query('PRAGMA integrity_check').all()
  connection.close()
  return lines.map(([line]) => String(line)).filter((line) => line !== 'ok')
}

import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { CheckpointOrder, CheckpointReport } from './checkpointer.ts'
import type { SqliteConnection, SqliteDriverName } from './driver.ts'
import { writtenState } from './file-identity.ts'
import { loadSqliteDriver } from './load-driver.ts'
import { configureConnection, pageBytes } from './schema.ts'

// The thread that checkpoints. See Checkpointer, which starts it.
const { file, driver, softBytes, written } = workerData as {
  file: string
  driver: SqliteDriverName
  softBytes: number
  written: string | undefined
}
const betweenPasses = 50
const betweenPassesWhenIdle = 500
const fewFrames = 64
const port = parentPort!
const closing = new AbortController()
let held: (() => void) | undefined

port.on('message', (order: CheckpointOrder) => {
  if (order.kind === 'close') closing.abort()
  held?.()
})

let frames = 0
// The database file after the last pass. Nothing else writes to it.
let expected = written ?? writtenState(file)
const loaded = await loadSqliteDriver(driver)
// Opening a file that is gone would make a new one.
if (writtenState(file) === expected) await checkpoint(loaded.open(file))
else refuse()
port.close()

async function checkpoint(connection: SqliteConnection): Promise<void> {
  configureConnection(connection, 1024)
  while (!closing.signal.aborted) {
    const before = frames
    await round(connection)
    await pause(frames === before ? betweenPassesWhenIdle : betweenPasses)
  }
  connection.close()
}

async function round(on: SqliteConnection): Promise<void> {
  try {
    let left = pass(on, 'passed')
    if (frames * pageBytes < softBytes) return
    // What came during a long pass is less with each further one.
    for (let again = 0; again < 3 && left > fewFrames; again++) left = pass(on, 'passed')
    await hold()
    if (!closing.signal.aborted) pass(on, 'released')
  } catch (error) {
    send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
    await pause(1000)
  }
}

// One pass; answers how many frames are left.
function pass(on: SqliteConnection, kind: 'passed' | 'released'): number {
  if (writtenState(file) !== expected) return refuse()
  try {
    const [, total, done] = on.query('PRAGMA wal_checkpoint(PASSIVE)').get() as readonly number[]
    frames = total!
    send({ kind, frames, done: done! })
    return frames - done!
  } finally {
    // A pass that failed may have written a part.
    expected = writtenState(file)
  }
}

// Pages of this store in a file that another program wrote would leave neither of the two databases whole.
function refuse(): number {
  send({ kind: 'overwritten' })
  closing.abort()
  return 0
}

function hold(): Promise<void> {
  send({ kind: 'hold' })
  return new Promise((resolve) => {
    held = resolve
  })
}

function send(report: CheckpointReport): void {
  port.postMessage(report)
}

async function pause(milliseconds: number): Promise<void> {
  await sleep(milliseconds, undefined, { signal: closing.signal }).catch(() => {})
}

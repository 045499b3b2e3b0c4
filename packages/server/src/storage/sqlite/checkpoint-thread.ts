import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '@hykube/machinery/base'
import type { CheckpointOrder, CheckpointReport } from './checkpointer.ts'
import type { SqliteConnection, SqliteDriverName } from './drivers/driver.ts'
import { loadSqliteDriver } from './drivers/load-driver.ts'
import { writtenState } from './file-identity.ts'
import { configureConnection, pageBytes } from './schema.ts'

// The checkpointing thread, started by Checkpointer.
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
// State of the database file after the last pass. No other program writes to it.
let expected = written ?? writtenState(file)
const loaded = await loadSqliteDriver(driver)
// Checked first, because opening a missing file would create a new one.
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
    // Each further pass is shorter, because fewer frames arrive during it.
    for (let again = 0; again < 3 && left > fewFrames; again++) left = pass(on, 'passed')
    await hold()
    if (!closing.signal.aborted) pass(on, 'released')
  } catch (error) {
    send({ kind: 'failed', message: messageOf(error) })
    await pause(1000)
  }
}

// Runs one pass and returns the number of frames left.
function pass(on: SqliteConnection, kind: 'passed' | 'released'): number {
  if (writtenState(file) !== expected) return refuse()
  try {
    const [, total, done] = on.query('PRAGMA wal_checkpoint(PASSIVE)').get() as readonly number[]
    frames = total!
    send({ kind, frames, done: done! })
    return frames - done!
  } finally {
    // A failed pass may have written some pages.
    expected = writtenState(file)
  }
}

// Checkpointing into a file that another program wrote would mix pages of two databases and corrupt both.
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

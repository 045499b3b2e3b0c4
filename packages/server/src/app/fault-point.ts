import { writeSync } from 'node:fs'
import type { JournalStep } from '../engine/index.ts'

/**
 * Where a server under test shall stop, as `STEP ADDRESS` (`after-intent sim_bucket.logs`); undefined for nowhere. When it gets there it
 * says so on stderr and does nothing more, with everything else in it as it is, until whoever tests kills it.
 */
export function faultPoint(setting: string | undefined): ((step: JournalStep, address: string) => void) | undefined {
  if (setting === undefined || setting === '') return undefined
  return (step, address) => {
    if (`${step} ${address}` !== setting) return
    writeSync(2, `fault point ${setting}\n`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
}

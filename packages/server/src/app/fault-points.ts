import { writeSync } from 'node:fs'
import type { JournalStep } from '../engine/index.ts'

/**
 * Where a server under test shall go no further, as `STEP ADDRESS [N]`, several of them separated by semicolons: with
 * `after-intent sim_bucket.logs 2` what it does for this address ends when it gets there for the second time. It says so on stderr.
 * Everything else goes on until the server is killed. Undefined for nowhere.
 */
export function faultPoints(
  setting: string | undefined,
): ((step: JournalStep, address: string) => Promise<void> | undefined) | undefined {
  if (setting === undefined || setting === '') return undefined
  const left = new Map<string, { readonly text: string; times: number }>()
  for (const text of setting.split(';')) {
    const [step, address, times = '1'] = text.split(' ')
    left.set(`${step} ${address}`, { text, times: Number(times) })
  }
  return (step, address) => {
    const point = left.get(`${step} ${address}`)
    if (point === undefined || --point.times !== 0) return undefined
    writeSync(2, `fault point ${point.text};\n`)
    return new Promise(() => {})
  }
}

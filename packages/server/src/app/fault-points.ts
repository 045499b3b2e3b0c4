import { writeSync } from 'node:fs'
import type { JournalStep } from '../plans/index.ts'

/**
 * Parses the steps at which a server under test blocks, as `STEP ADDRESS [N]` separated by semicolons. With `after-intent sim_bucket.logs 2`
 * the work on this address blocks when it reaches the step for the second time, and a line on stderr says so. Everything else continues until
 * the server is killed. Undefined when there are none.
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

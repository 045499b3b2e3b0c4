import { type Estate, journalKey, recordToBytes } from '../estate/index.ts'
import type { ProcessFacts } from '../plan/index.ts'

/**
 * Tells whoever waits for calls of processes on this machine that these are no more, so that the calls are decided without their deadlines.
 * Gives how many. It touches only calls that were looked into and wait, and none that somebody decides at
 * the same time.
 */
export async function tellEndedProcesses(
  estate: Estate,
  host: string,
  isAlive: (process: ProcessFacts) => Promise<boolean>,
): Promise<number> {
  let told = 0
  for await (const stored of estate.intents()) {
    const { intent, revision } = stored
    const { process, waits, deadline } = intent
    if (waits !== true || deadline === over || process?.host !== host || (await isAlive(process))) continue
    const value = recordToBytes({ ...intent, deadline: over })
    const operations = [{ kind: 'put', key: journalKey(stored), value, expect: revision }] as const
    if ((await estate.commit({ operations })).kind === 'committed') told++
  }
  return told
}

// Before every clock.
const over = 0

import { type Estate, journalKey, recordToBytes } from '../../estate/index.ts'
import type { ProcessFacts } from '../../model/index.ts'

/**
 * Marks calls of ended processes of this machine, so that the server that recovers them needn't wait for their deadlines. Only the machine
 * of a process knows that it ended. Returns the number of marked calls. It skips calls that another server decides at the same time.
 */
export async function reportEndedProcesses(
  estate: Estate,
  host: string,
  isAlive: (process: ProcessFacts) => Promise<boolean>,
): Promise<number> {
  let marked = 0
  for await (const stored of estate.intents()) {
    const { intent, revision } = stored
    const { process, waits, deadline } = intent
    if (waits !== true || deadline === over || process?.host !== host || (await isAlive(process))) continue
    const value = recordToBytes({ ...intent, deadline: over })
    const operations = [{ kind: 'put', key: journalKey(stored), value, expect: revision }] as const
    if ((await estate.commit({ operations })).kind === 'committed') marked++
  }
  return marked
}

// A deadline in the past.
const over = 0

import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openSqliteStore } from '@hykube/server/storage'
import { spaces } from './objects.ts'

export interface ColdStartFigures {
  /** From opening to the first result. */
  readonly milliseconds: number
  /** Resident memory of a process that has only opened the store, in bytes. */
  readonly rss: number
  readonly disk: number
}

/** Opens a store file in a new process. */
export async function measureColdStart(file: string): Promise<ColdStartFigures> {
  const output = execFileSync(process.execPath, [fileURLToPath(import.meta.url), file], { encoding: 'utf8' })
  return { ...JSON.parse(output), disk: statSync(file).size }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const begin = performance.now()
  const store = await openSqliteStore({ file: process.argv[2]!, spaces })
  await store.scan({ space: 'objects' }, { limit: 1 })
  const milliseconds = performance.now() - begin
  console.log(JSON.stringify({ milliseconds, rss: process.memoryUsage.rss() }))
  await store.close()
}

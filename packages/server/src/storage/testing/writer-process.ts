import { openSqliteStore } from '../sqlite/sqlite-store.ts'
import { mark, object, put } from './shorthand.ts'
import { testSpaces } from './store-under-test.ts'
import { TestSealer } from './test-sealer.ts'

// A process that tests kill: commits groups to a file concurrently, and prints each name with its revision once it was
// acknowledged.
const store = await openSqliteStore({ file: process.argv[2]!, spaces: testSpaces, sealer: new TestSealer() })
const run = `${process.pid}-${await store.now()}`
const write = async (writer: number) => {
  for (let at = 0; ; at++) {
    const name = `${run}-${writer}-${at}`
    const outcome = await store.commit({ operations: [put(object(name), 'x'.repeat(1000)), put(mark(name), name)] })
    if (outcome.kind === 'committed') process.stdout.write(`${name} ${outcome.revisions[0]}\n`)
  }
}
await Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)))

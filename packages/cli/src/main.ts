import { demoEntry } from './demo/index.ts'
import { run } from './program/index.ts'

process.exitCode = await run(process.argv.slice(2), { further: [demoEntry] })

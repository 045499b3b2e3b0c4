import { run } from './program/index.ts'

process.exitCode = await run(process.argv.slice(2))

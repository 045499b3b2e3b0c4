import { demoEntry } from './demo/index.ts'
import { run } from './program/index.ts'

// A reader such as `head` closes the pipe early: this is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

process.exitCode = await run(process.argv.slice(2), { further: [demoEntry] })

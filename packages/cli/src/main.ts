import { demoEntry } from './demo/index.ts'
import { run } from './program/index.ts'

// Whoever has read enough closes the pipe, as `head` does: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

process.exitCode = await run(process.argv.slice(2), { further: [demoEntry] })

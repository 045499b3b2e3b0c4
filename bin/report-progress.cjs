'use strict'
// Runs an installation and reports every INTERVAL milliseconds how many packages ./node_modules holds. Ends as the program ends.
// Usage: node report-progress.cjs INTERVAL PROGRAM ARGUMENT...

const fs = require('node:fs')

const [interval, program, ...args] = process.argv.slice(2)
const started = Date.now()

const child = require('node:child_process').spawn(program, args, {
  stdio: ['inherit', 2, 2],
  shell: process.platform === 'win32',
})
child.on('error', (error) => {
  process.stderr.write(`hykube: cannot run ${program}: ${error.message}\n`)
  process.exit(127)
})
child.on('exit', (code) => process.exit(code ?? 1))

setInterval(() => {
  const seconds = Math.round((Date.now() - started) / 1000)
  process.stderr.write(`hykube: still installing after ${seconds} s, ${countPackages()} packages in node_modules\n`)
}, Number(interval))

function countPackages() {
  return names('node_modules').reduce(
    (count, name) => count + (name.startsWith('@') ? names(`node_modules/${name}`).length : 1),
    0,
  )
}

// npm creates the directory and moves packages into it at the end.
function names(directory) {
  try {
    return fs.readdirSync(directory).filter((name) => !name.startsWith('.'))
  } catch {
    return []
  }
}

'use strict'
// `npm test`, `npm run check`, …: installs missing dependencies, then runs tools/<name>/main.ts with the bundled Node.
const { ensureInstalled, run } = require('../bin/install.cjs')
const [name, ...args] = process.argv.slice(2)
ensureInstalled('development')
run(`tools/${name}/main.ts`, args)

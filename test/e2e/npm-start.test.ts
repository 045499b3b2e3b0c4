import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** The processes whose command line names a directory. */
function processesOf(directory: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).includes(directory))
    .map(Number)
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

async function ready(child: ChildProcess): Promise<void> {
  let said = ''
  for await (const chunk of child.stdout!) {
    said += String(chunk)
    if (/^ready /m.test(said)) return
  }
  throw new Error(`it ended before it was ready: ${said}`)
}

describe.runIf(process.platform === 'linux')('npm start', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'hykube-npm-'))
  })
  afterEach(() => {
    for (const pid of processesOf(directory)) process.kill(pid, 'SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  })

  const serveArguments = () => ['--port', '0', '--store', 'memory:', '--data-dir', directory]
  const start = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) =>
    spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'], detached: true })

  test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
    'ended by %s leaves no server behind',
    async (signal) => {
      const npm = start('npm', ['start', '--', ...serveArguments()])
      await ready(npm)
      expect(processesOf(directory).length).toBeGreaterThan(0)
      npm.kill(signal)
      await expect.poll(() => processesOf(directory), { timeout: 15_000 }).toEqual([])
    },
    60_000,
  )

  test('two signals at once, as a terminal and npm send them, still end it in order', async () => {
    const server = start('bin/hykube', ['serve', ...serveArguments()], { ...process.env, npm_lifecycle_event: 'start' })
    await ready(server)
    server.kill('SIGINT')
    server.kill('SIGINT')
    expect(await once(server, 'exit')).toEqual([0, null])
  }, 60_000)

  test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
    'through the launcher of another Node, ended by %s, neither',
    async (signal) => {
      const other = olderNode()
      const launcher = start(other, ['bin/hykube', 'serve', ...serveArguments()])
      await ready(launcher)
      launcher.kill(signal)
      await expect.poll(() => processesOf(directory), { timeout: 15_000 }).toEqual([])
    },
    60_000,
  )
})

/** The Node of the machine, which the launcher starts the bundled one from; where it is new enough, that one itself. */
function olderNode(): string {
  const bundled = join(root, 'node_modules')
  const path = (process.env.PATH ?? '').split(':').filter((each) => !each.startsWith(bundled))
  return path.map((each) => join(each, 'node')).find((file) => isThere(file)) ?? process.execPath
}

function isThere(file: string): boolean {
  try {
    return readFileSync(file).length > 0
  } catch {
    return false
  }
}

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startServer, type TestServer } from '../e2e/server.ts'
import { installScriptProviders, runScript } from './run-script.ts'

const isRootOnLinux = process.platform === 'linux' && process.getuid?.() === 0

// A new session, a parent that has exited, and an empty environment: neither process group, nor parent, nor launch mark remain.
const escapeCommand = `env -i setsid sh -c 'echo $$ >"$0"; exec sleep 600' "$PWD/escaped" >/dev/null 2>&1 </dev/null &
  until [ -s escaped ]; do :; done; cat escaped; rm escaped; echo $PPID`

test.runIf(isRootOnLinux)(
  'a process that escapes from its provider ends with the provider, or when the next server starts',
  { timeout: 120_000 },
  async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'hykube-escape-'))
    onTestFinished(() => rmSync(dataDirectory, { recursive: true, force: true }))
    const start = () => startServer({ dataDirectory, arguments: ['--allow-local-scripts'] })
    let server = await start()
    await installScriptProviders(server, ['one', 'two'])
    const stopped = await escaped(server, 'one')
    await server.end('SIGTERM')
    await expect.poll(() => isRunning(stopped.pid)).toBe(false)
    server = await start()
    const killed = await escaped(server, 'one')
    const other = await escaped(server, 'two')
    await server.end('SIGKILL')
    // The kernel ends the providers with their server.
    for (const { provider } of [killed, other]) await expect.poll(() => isRunning(provider)).toBe(false)
    expect(isRunning(killed.pid)).toBe(true)
    server = await start()
    for (const { pid } of [killed, other]) await expect.poll(() => isRunning(pid)).toBe(false)
    await server.end()
  },
)

async function escaped(server: TestServer, provider: string) {
  const [pid, parent] = (await runScript(server, provider, escapeCommand)).trim().split('\n').map(Number)
  expect(isRunning(pid!)).toBe(true)
  expect(isRunning(parent!)).toBe(true)
  return { pid: pid!, provider: parent! }
}

function isRunning(pid: number): boolean {
  const file = `/proc/${pid}/stat`
  return existsSync(file) && !/\) [ZX] /.test(readFileSync(file, 'latin1'))
}

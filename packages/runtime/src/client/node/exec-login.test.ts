import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ExecConfig, ExecLogin } from './exec-login.ts'

describe('a credential plugin', () => {
  let directory: string
  let now = Date.parse('2026-11-16T00:00:00Z')
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'hykube-login-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  function login(script: string, config: ExecConfig = {}): ExecLogin {
    const file = join(directory, 'login')
    writeFileSync(file, `#!/bin/sh\necho x >> "${directory}/runs"\n${script}\n`)
    chmodSync(file, 0o755)
    const context = { directory, user: 'ann', cluster: { server: 'https://one' }, environment: { HOME: '/home/ann' } }
    return new ExecLogin({ command: './login', ...config }, context, () => now)
  }

  const runs = () => readFileSync(join(directory, 'runs'), 'utf8').trim().split('\n').length
  const says = (status: object) => `cat <<'END'\n${JSON.stringify({ kind: 'ExecCredential', status })}\nEND`

  test('runs once, and again when its token has expired', () => {
    const asked = login(says({ token: 't', expirationTimestamp: '2026-11-16T01:00:00Z' }))
    expect([asked.credential.token, asked.credential.token]).toEqual(['t', 't'])
    expect(runs()).toBe(1)
    now += 3_600_000
    expect(asked.credential.token).toBe('t')
    expect(runs()).toBe(2)
  })

  test('receives its arguments, environment and cluster information', () => {
    const asked = login(
      `echo "{\\"status\\":{\\"token\\":\\"$1 $NAME $HOME\\"}}"; echo "$KUBERNETES_EXEC_INFO" > info`,
      {
        args: ['--now'],
        env: [{ name: 'NAME', value: 'x' }],
        apiVersion: 'client.authentication.k8s.io/v1beta1',
        provideClusterInfo: true,
        interactiveMode: 'Never',
        command: `${directory}/login`,
      },
    )
    const here = process.cwd()
    process.chdir(directory)
    try {
      expect(asked.credential.token).toBe('--now x /home/ann')
    } finally {
      process.chdir(here)
    }
    expect(JSON.parse(readFileSync(join(directory, 'info'), 'utf8'))).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      kind: 'ExecCredential',
      spec: { cluster: { server: 'https://one' }, interactive: false },
    })
  })

  test.each([
    ['fails', 'exit 3', /with \.\/login: it failed with exit code 3/],
    ['prints nothing', 'true', /is not an ExecCredential/],
    ['prints something else', 'echo secret', /is not an ExecCredential/],
  ])('is reported without its output when it %s', (_, script, message) => {
    const asked = login(script)
    expect(() => asked.credential).toThrow(message)
    expect(() => asked.credential).not.toThrow(/secret/)
  })
})

import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'

describeWith(['go-plugin-host'], 'a plugin of ours under a host made of go-plugin', (host) => {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-host-'))
  const executable = join(directory, 'terraform-provider-test')
  const program = join(import.meta.dirname, '../../fixtures/test-plugin/main.ts')
  writeFileSync(executable, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  chmodSync(executable, 0o755)
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  test.each([
    ['serve', 'with certificates', {}, 6],
    ['serve5', 'with certificates', {}, 5],
    ['serve', 'in plain text', { HOST_PLAIN: '1' }, 6],
    ['tcp', 'over a port', {}, 6],
  ])('%s, %s: it is met, called and ended', async (mode, _, env, protocol) => {
    const { stdout } = await promisify(execFile)(host, [executable, mode], { env: { ...process.env, ...env } })
    expect(JSON.parse(stdout)).toMatchObject({
      protocol,
      ping: 'ok',
      schemaBytes: expect.toSatisfy((length: number) => length > 20),
      unknown: expect.stringContaining('code = Unimplemented'),
      large: 4194310,
      exited: true,
      // Beyond two seconds the host has given up and killed it.
      killMillis: expect.toSatisfy((time: number) => time < 2000),
    })
  })
})

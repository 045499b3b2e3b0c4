import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServer } from '../server.ts'
import { program } from './hykube.ts'

test('the kubeconfig that serve wrote in this directory is used, unless others can read it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hykube-nearby-'))
  const dataDirectory = join(home, 'hykube-data')
  mkdirSync(dataDirectory, { mode: 0o700 })
  const server = await startServer({ dataDirectory })
  const history = () =>
    new Promise<{ readonly failed: boolean; readonly said: string }>((done) => {
      const env = { ...process.env, KUBECONFIG: '', HOME: home }
      execFile(program, ['history'], { cwd: home, env }, (error, _, said) => done({ failed: error !== null, said }))
    })
  try {
    expect(await history()).toEqual({ failed: false, said: expect.stringContaining('using hykube-data') })
    chmodSync(server.kubeconfig, 0o644)
    const refused = await history()
    expect(refused.failed).toBe(true)
    expect(refused.said).toContain('not using hykube-data/admin.kubeconfig: other users may read or write it')
  } finally {
    await server.remove()
    rmSync(home, { recursive: true, force: true })
  }
}, 60_000)

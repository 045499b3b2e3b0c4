import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMasterKey, formatMasterKey } from './master-key.ts'
import { masterKeyFromCommand, masterKeyFromFile, masterKeyFromText, masterKeyInFile } from './master-key-source.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hykube-master-key-'))
})
afterEach(() => rm(directory, { recursive: true }))

describe('a master key', () => {
  it('is created in a file of mode 0600 and read again', async () => {
    const path = join(directory, 'keys', 'master.key')
    const [made] = await masterKeyInFile(path).read()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await masterKeyInFile(path).read()).toEqual([made])
  })

  it('is the same for two processes that create the file at once', async () => {
    const source = masterKeyInFile(join(directory, 'master.key'))
    const [a, b] = await Promise.all([source.read(), source.read()])
    expect(a).toEqual(b)
  })

  it('is rejected when others can read its file', async () => {
    const path = join(directory, 'master.key')
    await masterKeyInFile(path).read()
    await chmod(path, 0o644)
    await expect(masterKeyInFile(path).read()).rejects.toThrow(`mode 0644: run chmod 600 ${path}`)
  })

  it('is read from a value, a file or a command, the current one first', async () => {
    const keys = [createMasterKey(), createMasterKey()]
    const text = keys.map(formatMasterKey).join('\n')
    const path = join(directory, 'mounted')
    await writeFile(path, text)
    expect(await masterKeyFromText(text, 'HYKUBE_MASTER_KEY').read()).toEqual(keys)
    expect(await masterKeyFromFile(path).read()).toEqual(keys)
    expect(await masterKeyFromCommand('cat', [path]).read()).toEqual(keys)
  })

  it('may be in hexadecimal digits', async () => {
    const key = createMasterKey()
    expect(await masterKeyFromText(Buffer.from(key.bytes).toString('hex'), 'a test').read()).toEqual([key])
  })

  it.each([
    ['nothing', ''],
    ['a password', 'correct horse battery staple'],
    ['31 bytes', Buffer.alloc(31).toString('base64')],
  ])('is rejected without showing it: %s', async (_, text) => {
    const failure = masterKeyFromText(text, 'HYKUBE_MASTER_KEY').read()
    await expect(failure).rejects.toMatchObject({ failure: 'invalid' })
    await expect(failure).rejects.toThrow('HYKUBE_MASTER_KEY')
    if (text !== '') await expect(failure).rejects.not.toThrow(text)
  })

  it('is reported with the cause when it cannot be read, without the output of the command', async () => {
    await expect(masterKeyFromFile(join(directory, 'none')).read()).rejects.toThrow('ENOENT')
    const failing = masterKeyFromCommand('sh', ['-c', 'echo TOPSECRET; echo "vault is sealed" >&2; exit 3'])
    await expect(failing.read()).rejects.toThrow('vault is sealed')
    await expect(failing.read()).rejects.not.toThrow('TOPSECRET')
  })
})

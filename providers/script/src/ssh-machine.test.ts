import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { Connection } from './connection.ts'
import type { Command } from './machine.ts'
import { SshMachine } from './ssh-machine.ts'

// Replaces ssh and the remote machine: records its arguments and files, and passes the command line to a shell as sshd
// does.
const directory = mkdtempSync(join(tmpdir(), 'ssh-test-'))
const ssh = join(directory, 'ssh')
writeFileSync(
  ssh,
  `#!/bin/sh
for word; do printf '%s\\n' "$word"; done >'${directory}/args'
for word; do
  case $word in
    */key) stat -c %a "$word" >'${directory}/mode'; cat "$word" >'${directory}/key'; echo "$word" >'${directory}/place';;
    UserKnownHostsFile=*) cat "\${word#*=}" >'${directory}/known';;
  esac
  last=$word
done
exec /bin/sh -c "$last"
`,
)
chmodSync(ssh, 0o755)
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const connection: Connection = {
  host: 'db1',
  user: 'root',
  port: 2222,
  private_key: '-----BEGIN KEY-----\nabc\n-----END KEY-----',
  host_key: 'ssh-ed25519 AAAA',
}
const written = (name: string) => readFileSync(join(directory, name), 'utf8')

function commandOf(words: readonly [string, ...string[]], more: Partial<Command> = {}): Command {
  const { signal } = new AbortController()
  return { words, directory: null, environment: {}, input: '', timeout: 20_000, signal, ...more }
}

async function outputOf(command: Command): Promise<string> {
  const outcome = await new SshMachine(connection, ssh).run(command)
  expect(outcome).toMatchObject({ kind: 'exited', code: 0 })
  return (outcome as { output: string }).output
}

test('the client does not prompt, forwards nothing and accepts only the given key', async () => {
  await outputOf(commandOf(['true']))
  const args = written('args').split('\n')
  for (const option of ['BatchMode=yes', 'StrictHostKeyChecking=yes', 'IdentitiesOnly=yes', 'IdentityAgent=none'])
    expect(args).toContain(option)
  expect(args).toContain('-a')
  expect(args.join(' ')).toContain('-l root -p 2222 -- db1')
  expect(written('known')).toBe('[db1]:2222 ssh-ed25519 AAAA\n')
})

test('the key is in a file with mode 0600, which is removed afterwards', async () => {
  await outputOf(commandOf(['true']))
  expect(written('mode').trim()).toBe('600')
  expect(written('key')).toBe(`${connection.private_key}\n`)
  expect(existsSync(written('place').trim())).toBe(false)
})

test('words, variables, directory and input arrive unchanged, and no value is in the command line', async () => {
  const word = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).filter((text) => !text.includes('\0'))
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 3 }), word, word, async (words, value, input) => {
      const script = 'printf "%s\\0" "$@" "$VALUE" "$PWD"; cat'
      const secret = `${value}-${'secret'}`
      const command = commandOf(['/bin/sh', '-c', script, 'sh', ...words], {
        environment: { VALUE: secret },
        directory: '/usr',
        input,
      })
      expect((await outputOf(command)).split('\0')).toEqual([...words, secret, '/usr', input])
      expect(written('args')).not.toContain('-secret')
    }),
    { numRuns: 12, examples: [[["it's", '$(id)', 'a\nb'], "'; exit 9; '", '{"a":1}\n']] },
  )
})

test('a missing directory and a missing client are failures', async () => {
  const machine = new SshMachine(connection, ssh)
  expect(await machine.run(commandOf(['true'], { directory: '/no/such' }))).toMatchObject({ code: 126 })
  const none = new SshMachine(connection, join(directory, 'none'))
  expect(await none.run(commandOf(['true']))).toMatchObject({ kind: 'not-started' })
})

import { expect, test } from 'vitest'
import type { Connection } from './connection.ts'
import { sshFailure } from './ssh-failure.ts'

const connection: Connection = { host: 'db1', user: 'ops', port: 2222, private_key: 'k', host_key: 'ssh-ed25519 AAAA' }
const nothing = { log: '', output: '', complaints: '' }

const changed = `@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r
The fingerprint for the ED25519 key sent by the remote host is\nSHA256:Gkc/6b+ek.\r
Add correct host key in /tmp/x/known_hosts to get rid of this message.\r
Host key verification failed.\r\n`

test.each([
  ['another key', changed, 'db1 has another key (SHA256:Gkc/6b+ek) than host_key says'],
  ['no known key', 'No ED25519 host key is known for db1 and you have…\r\n', 'host_key is of another'],
  [
    'an unfit key',
    'Load key "/x/key": error in libcrypto\r\nops@db1: Permission denied (publickey).\r\n',
    'private_key is no',
  ],
  ['no entry', 'ops@db1: Permission denied (publickey).\r\n', 'db1 does not let ops in (it takes publickey)'],
  ['no such name', 'ssh: Could not resolve hostname db1: Name or service not known\r\n', 'no machine of the name db1'],
  [
    'nobody listening',
    'ssh: connect to host db1 port 2222: Connection refused\r\n',
    'on port 2222 (connection refused)',
  ],
  ['no answer', 'Connection timed out during banner exchange\r\n', 'on port 2222 (timed out)'],
])('%s: the command was not started, and a person is told what to do', (_, log, told) => {
  const outcome = sshFailure({ ...nothing, log }, connection)
  expect(outcome).toMatchObject({ kind: 'not-started', why: expect.stringContaining(told) })
  // Files that are gone by then are nothing to point at.
  expect(JSON.stringify(outcome)).not.toContain('/x/')
})

test('without a given key it is this machine that knows the key or not', () => {
  const own = { ...connection, host_key: null }
  expect(sshFailure({ ...nothing, log: changed }, own)).toMatchObject({
    why: expect.stringContaining('this machine knows'),
  })
})

test.each([
  ['in the log', { log: 'client_loop: send disconnect: Broken pipe\r\n' }, 'Broken pipe'],
  ['as last words', { complaints: 'half\nConnection to db1 closed by remote host.\r\n' }, 'closed by remote host'],
  ['without a word', {}, 'the machine stopped answering'],
])('a connection that broke %s leaves open how far the command came', (_, end, told) => {
  const outcome = sshFailure({ ...nothing, ...end }, connection)
  expect(outcome).toMatchObject({ kind: 'lost', why: expect.stringContaining(told) })
})

test("a command's own end is not taken for one of the connection", () => {
  expect(sshFailure({ ...nothing, complaints: 'usage: …\n' }, connection)).toBeUndefined()
  expect(sshFailure({ ...nothing, output: '{"id":"a"}' }, connection)).toBeUndefined()
})

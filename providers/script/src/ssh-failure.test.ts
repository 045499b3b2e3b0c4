import { expect, test } from 'vitest'
import type { Connection } from './connection.ts'
import { sshFailure } from './ssh-failure.ts'

const connection: Connection = { host: 'db1', user: 'ops', port: 2222, private_key: 'k', host_key: 'ssh-ed25519 AAAA' }
const nothing = { log: '', output: '', stderr: '' }

const changed = `@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r
The fingerprint for the ED25519 key sent by the remote host is\nSHA256:Gkc/6b+ek.\r
Add correct host key in /tmp/x/known_hosts to get rid of this message.\r
Host key verification failed.\r\n`

test.each([
  ['another key', changed, 'db1 has a different key (SHA256:Gkc/6b+ek) than host_key says'],
  ['no known key', 'No ED25519 host key is known for db1 and you have…\r\n', 'host_key is of another'],
  [
    'an invalid key',
    'Load key "/x/key": error in libcrypto\r\nops@db1: Permission denied (publickey).\r\n',
    'private_key is not',
  ],
  ['denied access', 'ops@db1: Permission denied (publickey).\r\n', 'db1 denies access to ops (it accepts publickey)'],
  [
    'an unknown host name',
    'ssh: Could not resolve hostname db1: Name or service not known\r\n',
    'the host name db1 cannot be resolved',
  ],
  ['a closed port', 'ssh: connect to host db1 port 2222: Connection refused\r\n', 'on port 2222 (connection refused)'],
  ['no response', 'Connection timed out during banner exchange\r\n', 'on port 2222 (timed out)'],
])('%s: the command did not start, and the error has a remedy', (_, log, expected) => {
  const outcome = sshFailure({ ...nothing, log }, connection)
  expect(outcome).toMatchObject({ kind: 'not-started', why: expect.stringContaining(expected) })
  // Temporary files are removed by then, so messages must not mention them.
  expect(JSON.stringify(outcome)).not.toContain('/x/')
})

test('without host_key the known_hosts of this machine decide', () => {
  const own = { ...connection, host_key: null }
  expect(sshFailure({ ...nothing, log: changed }, own)).toMatchObject({
    why: expect.stringContaining('this machine knows'),
  })
})

test.each([
  ['in the log', { log: 'client_loop: send disconnect: Broken pipe\r\n' }, 'Broken pipe'],
  ['on standard error', { stderr: 'half\nConnection to db1 closed by remote host.\r\n' }, 'closed by remote host'],
  ['without a message', {}, 'the machine stopped responding'],
])('a connection that broke %s leaves the progress of the command unknown', (_, end, expected) => {
  const outcome = sshFailure({ ...nothing, ...end }, connection)
  expect(outcome).toMatchObject({ kind: 'lost', why: expect.stringContaining(expected) })
})

test('does not take a command’s own exit code for a connection failure', () => {
  expect(sshFailure({ ...nothing, stderr: 'usage: …\n' }, connection)).toBeUndefined()
  expect(sshFailure({ ...nothing, output: '{"id":"a"}' }, connection)).toBeUndefined()
})

import type { Connection } from './connection.ts'
import type { Outcome } from './machine.ts'

/** Result of the SSH client. */
export interface ClientEnd {
  /** Log of the client itself. */
  readonly log: string
  /** Output of the command that arrived. */
  readonly output: string
  readonly stderr: string
}

/**
 * Result of a command whose client exited with its own failure code. Either the command was never started, with a
 * remedy; or the connection broke, and its progress is unknown. Undefined when the command itself exited with that
 * code.
 */
export function sshFailure({ log, output, stderr }: ClientEnd, connection: Connection): Outcome | undefined {
  for (const { seen, why } of knownFailures) {
    const match = seen.exec(log)
    if (match !== null) return { kind: 'not-started', why: why(connection, match) }
  }
  const message = oneLine(`${log}${connectionFailures.exec(stderr)?.[0] ?? ''}`)
  if (message === '' && `${output}${stderr}` !== '') return undefined
  const why =
    message === ''
      ? 'the machine stopped responding, or the command failed with exit code 255'
      : `the connection broke (${message})`
  return { kind: 'lost', why, output, stderr: stderr.replace(connectionFailures, '') }
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n/g, '; ').replace(/\.$/, '')
}

// Messages that the client writes to standard error and not to its log.
const connectionFailures = /(Connection to .* closed by .*|Read from remote host .*|Connection reset by .*)\s*$/

interface KnownFailure {
  readonly seen: RegExp
  readonly why: (connection: Connection, match: RegExpExecArray) => string
}

const knownFailures: readonly KnownFailure[] = [
  {
    seen: /HOST IDENTIFICATION HAS CHANGED[\s\S]*?(SHA256:[^\s.]+)/,
    why: ({ host, host_key }, [, fingerprint]) =>
      `${host} has a different key (${fingerprint}) than ${host_key === null ? 'this machine knows' : 'host_key says'}, so it may be another machine. ` +
      'Compare the fingerprint with that of `ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub` there, and set host_key only if they are equal',
  },
  {
    seen: /No (\S+) host key is known/,
    why: ({ host, port, host_key }, [, type]) =>
      `${host} has a key of type ${type}, and ${host_key === null ? 'this machine knows none of it' : 'host_key is of another'}. ` +
      `Set host_key to the output of \`ssh-keyscan -p ${port} ${host}\` after you verified it`,
  },
  {
    seen: /Load key /,
    why: () => 'private_key is not a valid key. Use the whole key, in OpenSSH or PEM format, without a passphrase',
  },
  {
    seen: /Permission denied \(([^)]*)\)/,
    why: ({ user, host, private_key }, [, methods]) =>
      `${host} denies access to ${user ?? 'the user of the server'} (it accepts ${methods}). Check user and private_key, ` +
      `${private_key === null ? 'which is not set, ' : 'which must have no passphrase, '}and that user's authorized_keys there`,
  },
  {
    seen: /Could not resolve hostname/,
    why: ({ host }) => `the host name ${host} cannot be resolved. Check host, or the DNS of the server`,
  },
  {
    seen: /(Connection refused|[Tt]imed out|No route to host|Network is unreachable)/,
    why: ({ host, port }, [, what]) =>
      `${host} cannot be reached on port ${port} (${what!.toLowerCase()}). Check that it is up, that sshd listens on this port, and the network in between; then plan again`,
  },
]

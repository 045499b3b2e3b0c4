import type { Connection } from './connection.ts'
import type { Outcome } from './machine.ts'

/** How the client of SSH ended. */
export interface ClientEnd {
  /** What the client itself wrote down. */
  readonly log: string
  /** What the command wrote, as far as it arrived; the client puts its last words behind it. */
  readonly output: string
  readonly complaints: string
}

/**
 * What became of a command whose client ended as it does when it failed itself. Either it was never started, and a person
 * can do something about that; or the connection broke, and nobody knows how far it came. Undefined when that was the
 * command's own end.
 */
export function sshFailure({ log, output, complaints }: ClientEnd, connection: Connection): Outcome | undefined {
  for (const { seen, why } of knownFailures) {
    const match = seen.exec(log)
    if (match !== null) return { kind: 'not-started', why: why(connection, match) }
  }
  const said = oneLine(`${log}${lastWords.exec(complaints)?.[0] ?? ''}`)
  if (said === '' && `${output}${complaints}` !== '') return undefined
  const why =
    said === '' ? 'the machine stopped answering, or it ended with exit code 255' : `the connection broke (${said})`
  return { kind: 'lost', why, output, complaints: complaints.replace(lastWords, '') }
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n/g, '; ').replace(/\.$/, '')
}

// These it does not write down, but among the command's complaints.
const lastWords = /(Connection to .* closed by .*|Read from remote host .*|Connection reset by .*)\s*$/

interface KnownFailure {
  readonly seen: RegExp
  readonly why: (connection: Connection, match: RegExpExecArray) => string
}

const knownFailures: readonly KnownFailure[] = [
  {
    seen: /HOST IDENTIFICATION HAS CHANGED[\s\S]*?(SHA256:[^\s.]+)/,
    why: ({ host, host_key }, [, fingerprint]) =>
      `${host} has another key (${fingerprint}) than ${host_key === null ? 'this machine knows' : 'host_key says'}, so that it may be another machine. ` +
      'Compare the fingerprint with that of `ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub` there, and give the key only if they are the same',
  },
  {
    seen: /No (\S+) host key is known/,
    why: ({ host, port, host_key }, [, type]) =>
      `${host} has a key of type ${type}, and ${host_key === null ? 'this machine knows none of it' : 'host_key is of another'}. ` +
      `Give as host_key what \`ssh-keyscan -p ${port} ${host}\` shows, once you know that it is true`,
  },
  {
    seen: /Load key /,
    why: () =>
      'private_key is no key that ssh can read. Give all of it, in the form of OpenSSH or PEM, without a passphrase',
  },
  {
    seen: /Permission denied \(([^)]*)\)/,
    why: ({ user, host, private_key }, [, methods]) =>
      `${host} does not let ${user ?? 'the user of the server'} in (it takes ${methods}). Check user and private_key, ` +
      `${private_key === null ? 'which is not given, ' : 'which must have no passphrase, '}and that user's authorized_keys there`,
  },
  {
    seen: /Could not resolve hostname/,
    why: ({ host }) => `there is no machine of the name ${host}. Check host, or the name service of the server`,
  },
  {
    seen: /(Connection refused|[Tt]imed out|No route to host|Network is unreachable)/,
    why: ({ host, port }, [, what]) =>
      `${host} can't be reached on port ${port} (${what!.toLowerCase()}). Check that it is up, that sshd listens there, and what is in between; then plan again`,
  },
]

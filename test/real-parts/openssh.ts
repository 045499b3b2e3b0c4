import { dirname, join } from 'node:path'
import { debianProgram } from './debian-program.ts'
import type { RealPart } from './part.ts'
import { isExecutable, onPath } from './run.ts'

/** OpenSSH's client and ssh-keygen. */
export const ssh: RealPart = {
  name: 'ssh',
  description: 'the ssh and ssh-keygen of this machine',
  heavy: false,
  locate: () => {
    const path = onPath('ssh')
    return path !== undefined && isExecutable(join(dirname(path), 'ssh-keygen')) ? path : undefined
  },
  remedy: 'install openssh-client',
}

/**
 * OpenSSH's server. Started as root it requires a user and a directory of an installed service, so for root the cached
 * copy is used and runs as another user: `ACCOUNTS` names a file in /etc/passwd format with the users it knows.
 */
export const sshd: RealPart = debianProgram({
  name: 'sshd',
  packages: ['openssh-server', 'libnss-wrapper'],
  onMachine: () => (process.getuid?.() === 0 ? undefined : (onPath('sshd') ?? ['/usr/sbin/sshd'].find(isExecutable))),
  launcher: `if [ -n "$ACCOUNTS" ]; then
  export NSS_WRAPPER_PASSWD="$ACCOUNTS" NSS_WRAPPER_GROUP=/etc/group
  for each in "$root"/usr/lib/*/libnss_wrapper.so; do export LD_PRELOAD="$each"; done
fi
LD_LIBRARY_PATH=$libraries exec "$root/usr/sbin/sshd" "$@"`,
  proof: ['-V'],
})

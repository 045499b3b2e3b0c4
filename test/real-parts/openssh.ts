import { dirname, join } from 'node:path'
import { debianProgram } from './debian-program.ts'
import type { RealPart } from './part.ts'
import { isExecutable, onPath } from './run.ts'

/** OpenSSH's client, with the program that makes keys. */
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
 * OpenSSH's server. As root it wants a user and a directory that only an installed service has, so that root uses the one
 * of the cache as somebody else: with `ACCOUNTS` naming a file in the form of /etc/passwd, it knows the users in that.
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

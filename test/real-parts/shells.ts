import { debianProgram } from './debian-program.ts'
import type { RealPart } from './part.ts'
import { onPath } from './run.ts'

/** Shells with completion support, and `script`, which provides pseudo-terminals. */
export const shells: readonly RealPart[] = [
  ofMachine('bash'),
  debianProgram({
    name: 'zsh',
    packages: ['zsh', 'zsh-common'],
    onMachine: () => onPath('zsh'),
    // zsh takes the location of its modules and functions from no environment variable, but from the first file it
    // reads.
    launcher: 'asked=$ZDOTDIR ZDOTDIR=$root/start exec "$root/bin/zsh" "$@"',
    files: {
      'start/.zshenv': `module_path=($ZDOTDIR:h/usr/lib/*/zsh/*(/))
fpath=($ZDOTDIR:h/usr/share/zsh/functions/**/*(/))
if [[ -n $asked ]]; then ZDOTDIR=$asked; else unset ZDOTDIR; fi
unset asked
`,
    },
    proof: ['-c', 'zmodload zsh/complete && autoload -U compinit && compinit -D'],
  }),
  debianProgram({
    name: 'fish',
    packages: ['fish', 'fish-common'],
    onMachine: () => onPath('fish'),
    launcher: 'LD_LIBRARY_PATH=$libraries exec "$root/usr/bin/fish" "$@"',
    // fish looks for its functions next to its binary, but only if its configuration directory exists there too.
    files: { 'usr/etc/fish/config.fish': '' },
    proof: ['-c', 'type -q __fish_complete_directories'],
  }),
  ofMachine('script'),
]

function ofMachine(name: string): RealPart {
  return {
    name,
    description: `the ${name} of this machine`,
    heavy: false,
    locate: () => onPath(name),
    remedy: `install ${name}`,
  }
}

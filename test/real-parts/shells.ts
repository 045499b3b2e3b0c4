import { debianProgram } from './debian-program.ts'
import type { RealPart } from './part.ts'
import { onPath } from './run.ts'

/** The shells that the program completes in, and a program that gives others a terminal of their own. */
export const shells: readonly RealPart[] = [
  ofMachine('bash'),
  debianProgram({
    name: 'zsh',
    packages: ['zsh', 'zsh-common'],
    onMachine: () => onPath('zsh'),
    // It takes the places of its modules and functions from no variable, but from the first file that it reads.
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
    // It looks for its functions beside itself, if there is a place for its configuration too.
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

import { Command } from 'commander'
import { type Host, UsageError } from '../command/index.ts'
import { bashScript, fishScript, zshScript } from './completion-scripts.ts'

/** `hykube completion` */
export function completionCommand(host: Host): Command {
  return new Command('completion')
    .description('Print a script that completes commands, flags, plans and addresses.')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText(
      'after',
      `
Examples:
  source <(hykube completion bash)
  hykube completion zsh > "\${fpath[1]}/_hykube"
  hykube completion fish > ~/.config/fish/completions/hykube.fish

For kubectl, bin/kubectl_complete-hykube must be on the PATH beside kubectl-hykube.`,
    )
    .action((shell: string) => {
      const script = scripts[shell]
      if (script === undefined) throw new UsageError(`no completion for ${shell}; choose bash, zsh or fish`)
      host.terminal({}).out(script)
    })
}

const scripts: Readonly<Record<string, string>> = { bash: bashScript, zsh: zshScript, fish: fishScript }

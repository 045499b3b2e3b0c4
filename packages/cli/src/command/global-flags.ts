import { type Command, Option } from 'commander'

/** What every command that talks to a server takes, with kubectl's names and meaning. */
export interface GlobalFlags {
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
  readonly allNamespaces?: boolean
  readonly output?: string
  readonly selector?: string
  readonly as?: string
  readonly asGroup?: readonly string[]
  readonly color?: boolean
}

/** Puts the flags on the program. They may stand before or after the command. */
export function addGlobalFlags(program: Command): Command {
  return program
    .optionsGroup('Global options:')
    .option(
      '--kubeconfig <file>',
      'the kubeconfig to use; else KUBECONFIG, hykube-data/admin.kubeconfig, ~/.kube/config',
    )
    .option('--context <name>', 'the context of the kubeconfig')
    .option('-n, --namespace <name>', 'the namespace; else that of the context')
    .option('-A, --all-namespaces', 'all namespaces')
    .option('-l, --selector <labels>', 'only what has these labels, as team=web,tier!=test')
    .option('-o, --output <format>', 'json, yaml, wide, name')
    .option('--as <user>', 'act as another user')
    .addOption(
      new Option('--as-group <group>', 'act as a member of this group; may be given several times').argParser(collect),
    )
    .option('--no-color', 'without colours; NO_COLOR does the same')
}

function collect(value: string, others: readonly string[] | undefined): readonly string[] {
  return [...(others ?? []), value]
}

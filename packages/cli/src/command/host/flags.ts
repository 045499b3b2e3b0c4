import { type Command, Option } from 'commander'

/** Flags of every command that talks to a server, with kubectl's names and meaning. */
export interface GlobalFlags {
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
  readonly as?: string
  readonly asGroup?: readonly string[]
  readonly color?: boolean
}

/** `-l` and `-A`, for commands that work on many objects. */
export interface SelectionFlags {
  readonly selector?: string
  readonly allNamespaces?: boolean
}

/** `-o` of a command, with the formats that it prints. */
export interface OutputFlags<Format extends string> {
  readonly output?: Format
}

/** Adds the global flags to the program. They may be given before or after the command. */
export function addGlobalFlags(program: Command): Command {
  return program
    .optionsGroup('Global options:')
    .option(
      '--kubeconfig <file>',
      'kubeconfig file (default: KUBECONFIG, hykube-data/admin.kubeconfig, ~/.kube/config)',
    )
    .option('--context <name>', 'context of the kubeconfig')
    .option('-n, --namespace <name>', 'namespace (default: that of the context)')
    .option('--as <user>', 'user to impersonate')
    .addOption(repeatable('--as-group <group>', 'group to impersonate'))
    .option('--no-color', 'print without colors, as NO_COLOR does')
}

export function addSelectionFlags(command: Command): Command {
  return addSelectorFlag(command).option('-A, --all-namespaces', 'all namespaces')
}

export function addSelectorFlag(command: Command): Command {
  return command.option('-l, --selector <labels>', 'only objects with these labels, such as team=web,tier!=test')
}

export function addOutputFlag(command: Command, formats: readonly string[]): Command {
  return command.addOption(new Option('-o, --output <format>', 'output format').choices(formats))
}

/** A flag that collects its values when it is given more than once. */
export function repeatable(flags: string, description: string): Option {
  return new Option(flags, `${description} (repeatable)`).argParser(
    (value, others: readonly string[] | undefined): readonly string[] => [...(others ?? []), value],
  )
}

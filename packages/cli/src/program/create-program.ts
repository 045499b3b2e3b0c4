import { Command } from 'commander'
import { addGlobalFlags, type CommandEntry, commandGroups, type Host } from '../command/index.ts'

/** The program with the command that is called loaded, and the others as far as the help needs them. */
export async function createProgram(
  args: readonly string[],
  entries: readonly CommandEntry[],
  host: Host,
): Promise<Command> {
  const program = addGlobalFlags(new Command('hykube'))
    .description('A Kubernetes control plane for infrastructure: write, plan, apply.')
    .usage('COMMAND [flags]')
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (command) => command.name() })
    .helpCommand('help [command]', 'help for a command')
    .addHelpText(
      'after',
      '\nExamples:\n  hykube serve\n  hykube apply -f network.yaml\n\nhykube COMMAND --help says more of each.',
    )
  const called = args.find((arg) => entries.some(({ name }) => name === arg))
  const helped = args[0] === 'help' ? args[1] : undefined
  for (const group of commandGroups) {
    program.commandsGroup(`${group}:`)
    for (const entry of entries.filter((each) => each.group === group)) {
      const isCalled = entry.name === called || entry.name === helped
      program.addCommand(
        isCalled
          ? (await entry.load())(host).summary(entry.summary)
          : new Command(entry.name).summary(entry.summary).description(entry.summary),
      )
    }
  }
  return program
}

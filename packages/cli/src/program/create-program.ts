import { Command } from 'commander'
import { addGlobalFlags, type CommandEntry, commandGroups, type Host, hykubeVersion } from '../command/index.ts'

/** The program, with the called command loaded and the others as far as the help shows them. */
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
    .helpCommand('help [command]', 'Show the help of a command')
    .version(`hykube ${hykubeVersion()}`, '--version', 'print the version')
    .addHelpText(
      'after',
      '\nExamples:\n  hykube serve\n  hykube apply -f network.yaml\n\nUse hykube COMMAND --help for the flags of a command.',
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

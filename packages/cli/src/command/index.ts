/** The commands of the program. Heavy modules are loaded by the commands that need them. */

export { type CommandEntry, catalogue, commandGroups } from './catalogue.ts'
export { CommandError, UsageError } from './host/failure.ts'
export { addGlobalFlags } from './host/flags.ts'
export type { Connection, Host } from './host/host.ts'
export { exitCodeOf, runs } from './host/invocation.ts'
export { type Command, newCommand } from './host/new-command.ts'
export { hykubeVersion } from './host/package-version.ts'
export { processHost } from './host/process-host.ts'
export type { Terminal } from './host/terminal.ts'
export type { Candidate } from './resources/candidates.ts'

/** Loads the completions that come from the server. */
export const loadCandidates = (): Promise<typeof import('./resources/candidates.ts')> =>
  import('./resources/candidates.ts')

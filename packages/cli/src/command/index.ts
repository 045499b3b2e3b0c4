/** One file a command, and what they are called from: flags, terminal, connection. Whatever is heavy is loaded late. */
export type { Candidate } from './candidates.ts'
export { type CommandEntry, catalogue, commandGroups } from './catalogue.ts'
export { CommandError, UsageError } from './failure.ts'
export { addGlobalFlags } from './global-flags.ts'
export type { Connection, Host } from './host.ts'
export { exitCodeOf, runs } from './invocation.ts'
export { type Command, newCommand } from './new-command.ts'
export { processHost } from './process-host.ts'
export type { ColorChoice, Terminal } from './terminal.ts'

/** What the server knows of words that may come next. */
export const loadCandidates = (): Promise<typeof import('./candidates.ts')> => import('./candidates.ts')

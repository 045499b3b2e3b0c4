/** The wiring: configuration, start and stop. Only the command line loads it. */
export { databaseRestored, type Restored, type RestoreOptions, restoreBackup } from './restore.ts'
export { type RunningServer, serve } from './serve.ts'
export type { ServeOptions } from './serve-options.ts'

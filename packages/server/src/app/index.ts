/** The wiring: configuration, start and stop. Only the command line loads it. */
export type { Diagnosis } from './diagnosis.ts'
export { databaseRestored, type Restored, type RestoreOptions, restoreBackup } from './restore.ts'
export { type RunningServer, serve } from './serve.ts'
export type { ServeOptions } from './serve-options.ts'
export { serverPathNames } from './server-paths.ts'

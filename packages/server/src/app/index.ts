/** The wiring: configuration, start and stop. Only the command line loads it. */
export type { Diagnosis } from './diagnosis.ts'
export { databaseRestored, restoreBackup } from './restore.ts'
export { serve } from './serve.ts'
export { serverPathNames } from './server-paths.ts'

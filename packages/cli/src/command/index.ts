/** One file a command. */
export { serveCommand } from './serve.ts'
export { versionCommand } from './version.ts'

/** Runs a provider as a plugin process. */
export { jsonLog, type LogLevel, type LogOptions, logLevelFrom } from './log.ts'
export { type ServeOptions, serveProvider } from './serve-provider.ts'

/** The process that a provider runs as. */
export { jsonLog, type LogLevel, type LogOptions, logLevelFrom } from './log.ts'
export { type ServeOptions, serveProvider } from './serve-provider.ts'

/** Starting and meeting a plugin process: handshake, AutoMTLS, reattach, logs; and being such a process. */
export { createOneTimeCertificate, type OneTimeCertificate } from './certificate.ts'
export { type Handshake, handshakeToLine, parseHandshake } from './handshake-line.ts'
export { magicCookie, magicCookieName } from './magic-cookie.ts'
export type { Plugin, PluginExit } from './plugin.ts'
export { type LogLevel, type PluginLog, PluginLogReader, parseLogLine } from './plugin-log.ts'
export { parseReattachProviders, type ReattachTarget, reattachPlugin, reattachProvidersToText } from './reattach.ts'
export { NotStartedByHostError, type ServedPlugin, type ServePluginOptions, servePlugin } from './serve-plugin.ts'
export { type StartPluginOptions, startPlugin } from './start-plugin.ts'

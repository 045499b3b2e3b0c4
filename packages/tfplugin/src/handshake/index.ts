/** Starting and meeting a plugin process: handshake, AutoMTLS, reattach, logs; and being such a process. */
export { createOneTimeCertificate, type OneTimeCertificate } from './certificate.ts'
export type { Plugin, PluginExit } from './plugin.ts'
export type { LogLevel, PluginLog } from './plugin-log.ts'
export { parseReattachProviders, type ReattachTarget, reattachPlugin, reattachProvidersToText } from './reattach.ts'
export { NotStartedByHostError, type ServedPlugin, servePlugin } from './serve-plugin.ts'
export { startPlugin } from './start-plugin.ts'

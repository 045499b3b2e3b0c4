/** Runs a provider as a plugin process. */
export { type ServeOptions, serveProvider } from './serve-provider.ts'

/** The wiring: configuration, start and stop. Only the command line loads it. */
export { type RunningServer, serve } from './serve.ts'
export type { ServeOptions } from './serve-options.ts'

import type { Host } from './host.ts'
import { processTerminal } from './terminal.ts'

/** The terminal of this process, and the servers of kubeconfigs. */
export const processHost: Host = {
  terminal: processTerminal,
  connect: async (flags, terminal) => (await import('./connect.ts')).connect(flags, terminal),
}

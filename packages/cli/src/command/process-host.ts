import type { Host } from './host.ts'
import { processTerminal } from './terminal.ts'

/** What the program runs on: this process, and the servers of kubeconfigs. Clients are loaded when one is needed. */
export const processHost: Host = {
  terminal: processTerminal,
  connect: async (flags, terminal) => (await import('./connect.ts')).connect(flags, terminal),
}

/** Helpers for tests of commands: a terminal and a server in memory. */
import type { Host } from '../host/host.ts'
import type { FakeEstate } from './fake-estate.ts'
import type { FakeTerminal } from './fake-terminal.ts'

export { FakeEstate, type FakeEstateOptions } from './fake-estate.ts'
export { FakeTerminal, type FakeTerminalOptions } from './fake-terminal.ts'

/** A host of both. */
export function fakeHost(terminal: FakeTerminal, estate: FakeEstate): Host {
  return { terminal: () => terminal, connect: async (flags) => estate.connection(flags.namespace) }
}

import type { Client } from '@hykube/runtime/client'
import type { GlobalFlags } from './global-flags.ts'
import type { ColorChoice, Terminal } from './terminal.ts'

/** A server that can be asked, and what was chosen about it. */
export interface Connection {
  readonly client: Client
  /** The namespace that commands mean when none is given. */
  readonly namespace: string
  /** The namespace of the kubeconfig's context. */
  readonly ownNamespace: string
  readonly server: string
  readonly context: string
  /** When the certificate of the server ends; undefined before the first answer. */
  certificateEnd(): Date | undefined
  close(): void
}

/** What the program runs on: a terminal, and a way to servers. Tests put in their own. */
export interface Host {
  terminal(choice: ColorChoice): Terminal
  connect(flags: GlobalFlags, terminal: Terminal): Promise<Connection>
}

import type { Client } from '@hykube/runtime/client'
import type { GlobalFlags } from './flags.ts'
import type { ColorChoice, Terminal } from './terminal.ts'

/** A client of a server, with the namespace and context of the command. */
export interface Connection {
  readonly client: Client
  /** The namespace of the command. */
  readonly namespace: string
  /** The namespace of the kubeconfig's context. */
  readonly ownNamespace: string
  readonly server: string
  readonly context: string
  /** When the certificate of the server expires; undefined before the first response. */
  certificateEnd(): Date | undefined
  close(): void
}

/** The environment of the program. Tests replace it. */
export interface Host {
  terminal(choice: ColorChoice): Terminal
  connect(flags: GlobalFlags, terminal: Terminal): Promise<Connection>
}

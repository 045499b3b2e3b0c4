import type { ProviderDiagnostic } from '@hykube/tfplugin/protocol'
import { diagnostic } from './failure.ts'
import type { Place } from './misfit.ts'
import type { Logger, ObjectOperation, Operation } from './operation.ts'
import { PrivateData } from './private-data.ts'
import type { Content } from './schema.ts'

/** What a running provider knows: its client once it is configured, and where to write. */
export interface Session {
  readonly log: Logger
  /** Throws before the provider is configured. */
  client(): unknown
}

/** One call that is being answered, with the diagnostics that it gathers. */
export class Call {
  readonly diagnostics: ProviderDiagnostic[] = []
  readonly #session: Session
  readonly #signal: AbortSignal

  /** The signal is what an author's function gets; calls that are given up together share one. */
  constructor(session: Session, signal: AbortSignal) {
    this.#session = session
    this.#signal = signal
  }

  /** What an author's function gets; places that it names are those of this content. */
  operation(content: Content): Operation<unknown> {
    const { signal, log, warn } = this.unconfigured(content)
    return { client: this.#session.client(), signal, log, warn }
  }

  unconfigured(content: Content): Omit<Operation<unknown>, 'client'> {
    return {
      signal: this.#signal,
      log: this.#session.log,
      warn: (summary, more) => this.say('warning', content, summary, more),
    }
  }

  objectOperation(typeName: string, content: Content, bytes: Uint8Array | undefined): ObjectOperation<unknown> {
    const { client, signal, log, warn } = this.operation(content)
    return { client, signal, log, warn, typeName, private: PrivateData.fromBytes(bytes) }
  }

  say(
    severity: 'error' | 'warning',
    content: Content,
    summary: string,
    more: { readonly detail?: string; readonly place?: Place } = {},
  ): void {
    this.diagnostics.push(diagnostic(severity, summary, more.detail, more.place, content))
  }
}

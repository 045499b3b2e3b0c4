import type { ProviderDiagnostic } from '@hykube/tfplugin/protocol'
import { diagnostic } from './failure.ts'
import type { Logger, ObjectOperation, Operation } from './operation.ts'
import { PrivateData } from './private-data.ts'
import type { Content } from './schema/schema.ts'
import type { Place } from './schema/type-mismatch.ts'

/** The state of a running provider that all calls share. */
export interface Session {
  readonly log: Logger
  /** Returns the client of `configure`; throws before the provider is configured. */
  client(): unknown
}

/** A call in progress and the diagnostics that it collects. */
export class Call {
  readonly diagnostics: ProviderDiagnostic[] = []
  readonly #session: Session
  readonly #signal: AbortSignal

  /** `signal` is passed to the author's function; the calls of one batch share it. */
  constructor(session: Session, signal: AbortSignal) {
    this.#session = session
    this.#signal = signal
  }

  /** Returns the context for an author's function; the paths of its warnings refer to `content`. */
  operation(content: Content): Operation<unknown> {
    const { signal, log, warn } = this.unconfigured(content)
    return { client: this.#session.client(), signal, log, warn }
  }

  /** The context for `configure`, which has no client yet. */
  unconfigured(content: Content): Omit<Operation<unknown>, 'client'> {
    return {
      signal: this.#signal,
      log: this.#session.log,
      warn: (summary, more) => this.addDiagnostic('warning', content, summary, more),
    }
  }

  objectOperation(typeName: string, content: Content, bytes: Uint8Array | undefined): ObjectOperation<unknown> {
    const { client, signal, log, warn } = this.operation(content)
    return { client, signal, log, warn, typeName, private: PrivateData.fromBytes(bytes) }
  }

  addDiagnostic(
    severity: 'error' | 'warning',
    content: Content,
    summary: string,
    more: { readonly detail?: string; readonly place?: Place } = {},
  ): void {
    this.diagnostics.push(diagnostic(severity, summary, more.detail, more.place, content))
  }
}

import { type CallOptions, GrpcError } from '@hykube/tfplugin/grpc'
import {
  type ExtensionsClient,
  ProviderAnswerError,
  type ProviderClient,
  type ProviderDiagnostic,
} from '@hykube/tfplugin/protocol'
import type { CallDeadlines } from './process-settings.ts'
import { ProviderFailure } from './provider-failure.ts'
import type { PackageSchema } from './provider-target.ts'
import type { SecretScrubber } from './secrets/secret-scrubber.ts'

/** The limits of calls to one process, and the explanation of their failures. */
export interface CallGuard {
  /** The name used in messages: `the provider hashicorp/aws 5.62.0`. */
  readonly named: string
  readonly deadlines: CallDeadlines
  /** The maximum size of one response, in bytes. */
  readonly answerLimit: number
  readonly scrubber: SecretScrubber
  /** The end of the process that explains a failed call; undefined if the process is healthy. */
  explain(error: GrpcError): Promise<ProcessEnd | undefined>
}

export interface ProcessEnd {
  readonly reason: ProviderFailure['reason']
  readonly why: string
  readonly panic?: string | undefined
}

/**
 * Wraps a client: calls get deadlines, fail with ProviderFailure, and their diagnostics are scrubbed of secrets. Schemas are
 * served from the cache.
 */
export function guardClient(client: ProviderClient, known: PackageSchema, guard: CallGuard): ProviderClient {
  const guarded: Record<string, unknown> = {}
  for (const [name, call] of Object.entries(client)) {
    if (typeof call !== 'function') guarded[name] = call
    else if (streams.has(name)) guarded[name] = guardStream(name, call as StreamCall, guard)
    else guarded[name] = guardCall(name, call as UnaryCall, guard)
  }
  guarded.schema = () => Promise.resolve(known.schema)
  guarded.identitySchemas = () => Promise.resolve(known.identitySchemas)
  return guarded as unknown as ProviderClient
}

/** Wraps the client of the batch extensions in the same way. */
export function guardExtensions(client: ExtensionsClient, guard: CallGuard): ExtensionsClient {
  const call = (name: 'readMany' | 'planMany' | 'applyMany' | 'validateMany') =>
    guardCall(name, client[name] as UnaryCall, guard)
  return {
    extensions: client.extensions,
    readMany: call('readMany') as ExtensionsClient['readMany'],
    planMany: call('planMany') as ExtensionsClient['planMany'],
    applyMany: call('applyMany') as ExtensionsClient['applyMany'],
    validateMany: call('validateMany') as ExtensionsClient['validateMany'],
  }
}

/** Converts the error of a call to a ProviderFailure. */
export async function callFailure(
  error: unknown,
  name: string,
  options: CallOptions,
  guard: CallGuard,
): Promise<ProviderFailure> {
  if (error instanceof ProviderFailure) return error
  const message = guard.scrubber.text((error as Error).message)
  const cannot = `cannot call ${name} of ${guard.named}`
  if (error instanceof ProviderAnswerError)
    return new ProviderFailure('ProviderMisbehaved', `${cannot}: ${message}; report it to the provider's developers`)
  // Other errors than GrpcError are thrown while the request is encoded, so nothing was sent.
  if (!(error instanceof GrpcError))
    return new ProviderFailure('RequestInvalid', `${cannot}: ${message}`, { sent: false })
  const sent = !error.neverProcessed
  const { status } = error
  if (options.signal?.aborted === true) return new ProviderFailure('CallCanceled', `${cannot}: ${message}`, { sent })
  const end = await guard.explain(error)
  if (end !== undefined) {
    const panic = end.panic === undefined ? undefined : guard.scrubber.text(end.panic)
    const said = panic === undefined ? '' : `; its output:\n${panic}`
    return new ProviderFailure(end.reason, `${cannot}: ${guard.scrubber.text(end.why)}${said}`, { sent, status, panic })
  }
  if (status === 'DEADLINE_EXCEEDED') {
    const todo = `check the service that it calls, or raise ${deadlineOf(name) === 'apply' ? '--provider-apply-timeout' : '--provider-call-timeout'}`
    return new ProviderFailure('ProviderTimeout', `${cannot}: ${message}; ${todo}`, { status })
  }
  if (status === 'RESOURCE_EXHAUSTED') {
    const todo = 'raise --provider-answer-limit if it needs more'
    return new ProviderFailure('ProviderMisbehaved', `${cannot}: ${message}; ${todo}`, { sent, status })
  }
  if (status === 'UNIMPLEMENTED')
    return new ProviderFailure('ProviderUnimplemented', `${cannot}: it does not implement this call`, { status })
  return new ProviderFailure('ProviderMisbehaved', `${cannot}: it returned ${status}: ${message}`, { sent, status })
}

type UnaryCall = (request: unknown, options?: CallOptions) => Promise<unknown>
type StreamCall = (request: unknown, options?: CallOptions) => AsyncIterable<unknown>

const streams: ReadonlySet<string> = new Set(['listResource', 'invokeAction'])

function guardCall(name: string, call: UnaryCall, guard: CallGuard): UnaryCall {
  return async (request, given = {}) => {
    const options = withLimits(name, given, guard)
    refuseCanceled(name, options, guard)
    try {
      return scrubbed(await call(request, options), guard.scrubber)
    } catch (error) {
      throw await callFailure(error, name, options, guard)
    }
  }
}

function guardStream(name: string, call: StreamCall, guard: CallGuard): StreamCall {
  return async function* (request, given = {}) {
    const options = withLimits(name, given, guard)
    refuseCanceled(name, options, guard)
    try {
      for await (const event of call(request, options)) yield scrubbed(event, guard.scrubber)
    } catch (error) {
      throw await callFailure(error, name, options, guard)
    }
  }
}

// Checked before the call, because the failure must say that nothing was sent: such a call is safe to repeat.
function refuseCanceled(name: string, { signal }: CallOptions, { named }: CallGuard): void {
  if (signal?.aborted !== true) return
  throw new ProviderFailure('CallCanceled', `cannot call ${name} of ${named}: it was canceled before it was sent`, {
    sent: false,
  })
}

// Batch responses have no limit of their own; the connection limits the size of every message.
function withLimits(name: string, given: CallOptions, { deadlines, answerLimit }: CallGuard): CallOptions {
  const largest = name.endsWith('Many') ? {} : { largestAnswer: answerLimit }
  return { timeout: deadlines[deadlineOf(name)], ...largest, ...given }
}

function deadlineOf(name: string): keyof CallDeadlines {
  if (name === 'configureProvider') return 'configure'
  if (/^(apply|invoke)/.test(name)) return 'apply'
  return /^(read|plan|import|list|open|renew|close|call)/.test(name) ? 'read' : 'local'
}

function scrubbed(answer: unknown, scrubber: SecretScrubber): unknown {
  if (Array.isArray(answer)) return answer.map((outcome) => scrubbedOutcome(outcome, scrubber))
  return scrubbedAnswer(answer, scrubber)
}

function scrubbedOutcome(outcome: unknown, scrubber: SecretScrubber): unknown {
  const { kind, answer, reason } = outcome as { kind?: string; answer?: unknown; reason?: string }
  if (kind === 'answered') return { kind, answer: scrubbedAnswer(answer, scrubber) }
  return kind === 'failed' ? { kind, reason: scrubber.text(reason ?? '') } : outcome
}

function scrubbedAnswer(answer: unknown, scrubber: SecretScrubber): unknown {
  const { diagnostics } = answer as { readonly diagnostics?: readonly ProviderDiagnostic[] }
  if (diagnostics === undefined || diagnostics.length === 0) return answer
  return { ...(answer as object), diagnostics: scrubber.diagnostics(diagnostics) }
}

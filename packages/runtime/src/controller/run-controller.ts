import { isAbortError, messageOf, onAbort } from '@hykube/machinery/base'
import { failedWith } from '../client/index.ts'
import type { WorkQueue } from './work-queue.ts'

/** The outcome of a reconcile. Undefined: nothing to do until the key is added again. */
export type ReconcileResult =
  | undefined
  /** Retry with exponential backoff. */
  | { readonly kind: 'again' }
  /** Reconcile again after a fixed delay. */
  | { readonly kind: 'after'; readonly milliseconds: number }

/** Compares the actual state of the object of a key with its desired state, and takes the next step towards it. */
export type Reconcile = (key: string, signal: AbortSignal) => Promise<ReconcileResult>

/** The logger of a controller. */
export interface ControllerLogger {
  error(message: string, facts?: Readonly<Record<string, unknown>>): void
  debug(message: string, facts?: Readonly<Record<string, unknown>>): void
}

/** The configuration of a controller. */
export interface ControllerOptions {
  /** Used in log messages. */
  readonly name: string
  readonly queue: WorkQueue
  readonly reconcile: Reconcile
  /** The number of keys that are reconciled concurrently. Default 1. */
  readonly workers?: number | undefined
  readonly logger: ControllerLogger
}

/** Processes the queue until the signal aborts. Resolves when all workers have finished their current key; never rejects. */
export async function runController(options: ControllerOptions, signal: AbortSignal): Promise<void> {
  const release = onAbort(signal, () => options.queue.close())
  const { workers = 1 } = options
  await Promise.all(Array.from({ length: workers }, () => work(options, signal)))
  release()
}

async function work({ name, queue, reconcile, logger }: ControllerOptions, signal: AbortSignal): Promise<void> {
  for (;;) {
    const key = await queue.take()
    if (key === undefined) return
    try {
      requeue(queue, key, await reconcile(key, signal))
    } catch (error) {
      if (signal.aborted || isAbortError(error)) return queue.done(key)
      report(logger, name, key, error)
      queue.retry(key)
    }
    queue.done(key)
  }
}

function requeue(queue: WorkQueue, key: string, result: ReconcileResult): void {
  if (result?.kind === 'again') {
    queue.retry(key)
    return
  }
  queue.forget(key)
  if (result?.kind === 'after') queue.addAfter(key, result.milliseconds)
}

// A conflict is normal with optimistic concurrency, so it is not logged as an error.
function report(logger: ControllerLogger, controller: string, key: string, error: unknown): void {
  const facts = { controller, key, error: messageOf(error) }
  if (failedWith(error, 'Conflict')) logger.debug('reconcile conflicted with another write; retrying', facts)
  else logger.error('reconcile failed; retrying', facts)
}

import { isAbortError, onAbort } from '@hykube/machinery/base'
import { failedWith } from '../client/index.ts'
import type { WorkQueue } from './work-queue.ts'

/** What is to be done after a look at something. Nothing: it is as it should be until somebody adds it again. */
export type ReconcileResult =
  | undefined
  /** Look again soon, and less often the longer it lasts. */
  | { readonly kind: 'again' }
  | { readonly kind: 'after'; readonly milliseconds: number }

/** Looks at what a name stands for and takes one step towards what it should be. Called for one name at a time. */
export type Reconcile = (key: string, signal: AbortSignal) => Promise<ReconcileResult>

/** Where a controller tells what went wrong. */
export interface ControllerLogger {
  error(message: string, facts?: Readonly<Record<string, unknown>>): void
  debug(message: string, facts?: Readonly<Record<string, unknown>>): void
}

/** What a controller is made of. */
export interface ControllerOptions {
  /** For messages. */
  readonly name: string
  readonly queue: WorkQueue
  readonly reconcile: Reconcile
  /** How many names are looked at together. Default 1. */
  readonly workers?: number | undefined
  readonly logger: ControllerLogger
}

/** Works through a queue until the signal aborts; resolves when every worker has put its work down. Never rejects. */
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
      follow(queue, key, await reconcile(key, signal))
    } catch (error) {
      if (signal.aborted || isAbortError(error)) return queue.done(key)
      report(logger, name, key, error)
      queue.retry(key)
    }
    queue.done(key)
  }
}

function follow(queue: WorkQueue, key: string, result: ReconcileResult): void {
  if (result?.kind === 'again') {
    queue.retry(key)
    return
  }
  queue.forget(key)
  if (result?.kind === 'after') queue.addAfter(key, result.milliseconds)
}

// That somebody was faster is how optimistic writing works, and no failure.
function report(logger: ControllerLogger, controller: string, key: string, error: unknown): void {
  const facts = { controller, key, error: error instanceof Error ? error.message : String(error) }
  if (failedWith(error, 'Conflict')) logger.debug('a reconcile met a conflict and is tried again', facts)
  else logger.error('a reconcile failed and is tried again', facts)
}

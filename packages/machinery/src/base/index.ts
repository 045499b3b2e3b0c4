/** Domain-independent utilities: clocks, cancellation, backoff, queues, locks and async iterables. */
export { abortable, abortReason, isAbortError, onAbort } from './abort.ts'
export { createBackoff } from './backoff.ts'
export { BoundedQueue } from './bounded-queue.ts'
export { type Clock, ManualClock, systemClock } from './clock.ts'
export { Mutex } from './mutex.ts'
export { similarName } from './similar-name.ts'
export { finish, type Steps } from './steps.ts'

/** The parts of a controller: a work queue of keys, and workers that reconcile one key at a time. */
export {
  type ControllerLogger,
  type ControllerOptions,
  type Reconcile,
  type ReconcileResult,
  runController,
} from './run-controller.ts'
export { WorkQueue, type WorkQueueOptions } from './work-queue.ts'

/** How controllers work: a queue of names, and workers that reconcile them one by one. */
export {
  type ControllerLogger,
  type ControllerOptions,
  type Reconcile,
  type ReconcileResult,
  runController,
} from './run-controller.ts'
export { WorkQueue, type WorkQueueOptions } from './work-queue.ts'

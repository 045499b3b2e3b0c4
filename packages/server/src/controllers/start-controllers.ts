import { Client, type Transport } from '@hykube/runtime/client'
import { runClusterRoleAggregationController } from './cluster-role-aggregation/controller.ts'
import type { AggregatedRules } from './cluster-role-aggregation/reconcile.ts'
import type { ControllerContext } from './context.ts'
import { runEventExpiryController } from './event-expiry/controller.ts'
import { type GarbageCollectionPorts, runGarbageCollectionController } from './garbage-collection/controller.ts'
import type { ContentIndex } from './namespace/content.ts'
import { runNamespaceController } from './namespace/controller.ts'
import { createNamespaces } from './namespaces.ts'
import { type PaperWorkloads, runPaperWorkloadsController } from './paper-workloads/controller.ts'
import { runResourceQuotaController } from './resource-quota/controller.ts'
import type { QuotaPorts } from './resource-quota/ports.ts'
import { runRootCaController } from './root-ca/controller.ts'
import { runServiceAccountController } from './service-account/controller.ts'

/** Dependencies of the controllers, provided by the composition root. */
export interface ControllersOptions extends Pick<ControllerContext, 'clock' | 'logger'> {
  /** Transport to the API of every logical cluster, as a user with full permissions. */
  readonly transport: Transport
  readonly garbageCollection: GarbageCollectionPorts
  readonly aggregatedRules: AggregatedRules
  /** CA certificate of the server in PEM. */
  readonly rootCertificate: string
  /** Default: the content of a terminating namespace is listed resource by resource. */
  readonly namespaceContent?: ContentIndex | undefined
  /** Default: quota usage is not calculated. */
  readonly quotas?: QuotaPorts | undefined
  /** Simulated workload statuses. Default: statuses are not set. */
  readonly paperWorkloads?: PaperWorkloads | undefined
  /** Stops all controllers. */
  readonly signal: AbortSignal
}

/** Handle of the running controllers. */
export interface RunningControllers {
  /** Resolves after the signal has aborted and every controller has stopped. Never rejects. */
  readonly stopped: Promise<void>
}

/** Starts all controllers for all logical clusters. */
export function startControllers(options: ControllersOptions): RunningControllers {
  const { transport, clock, logger, signal } = options
  const client = new Client({ transport, userAgent: 'hykube-controllers', fieldManager: 'hykube-controllers' })
  const context: ControllerContext = { clientFor: (cluster) => client.in(cluster), clock, logger }
  const namespaces = createNamespaces(context)
  const controllers: readonly [string, Promise<void>][] = [
    ['namespaces', namespaces.run(signal)],
    ['namespace', runNamespaceController(context, namespaces, options.namespaceContent, signal)],
    ['garbage-collection', runGarbageCollectionController(context, options.garbageCollection, signal)],
    ['service-account', runServiceAccountController(context, namespaces, signal)],
    ['root-ca', runRootCaController(context, namespaces, options.rootCertificate, signal)],
    ['cluster-role-aggregation', runClusterRoleAggregationController(context, options.aggregatedRules, signal)],
    ['event-expiry', runEventExpiryController(context, signal)],
  ]
  const { quotas } = options
  const counting: [string, Promise<void>][] = quotas
    ? [['resource-quota', runResourceQuotaController(context, quotas, signal)]]
    : []
  const paper: [string, Promise<void>][] = options.paperWorkloads
    ? [['paper-workloads', runPaperWorkloadsController(context, options.paperWorkloads, signal)]]
    : []
  const all = [...controllers, ...counting, ...paper].map(([controller, running]) =>
    running.catch((error: unknown) => logger.error('a controller ended', { controller, error: String(error) })),
  )
  return { stopped: Promise.all(all).then(() => {}) }
}

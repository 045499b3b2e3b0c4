import { runClusterRoleAggregationController } from './cluster-role-aggregation/controller.ts'
import type { AggregatedRules } from './cluster-role-aggregation/reconcile.ts'
import type { ControllerContext } from './context.ts'
import { runEventExpiryController } from './event-expiry/controller.ts'
import { type GarbageCollectionPorts, runGarbageCollectionController } from './garbage-collection/controller.ts'
import type { ContentIndex } from './namespace/content.ts'
import { runNamespaceController } from './namespace/controller.ts'
import { createNamespaces } from './namespaces.ts'
import { runPaperWorkloadsController } from './paper-workloads/controller.ts'
import { runRootCaController } from './root-ca/controller.ts'
import { runServiceAccountController } from './service-account/controller.ts'

/** What the composition gives the controllers. */
export interface ControllersOptions extends ControllerContext {
  readonly garbageCollection: GarbageCollectionPorts
  readonly aggregatedRules: AggregatedRules
  /** The certificate of the server's authority, in PEM. */
  readonly rootCertificate: string
  /** Default: a namespace that goes is looked through resource by resource. */
  readonly namespaceContent?: ContentIndex | undefined
  /** Whether workloads look as if they ran. Default false. */
  readonly paperWorkloads?: boolean | undefined
  /** Stops everything. */
  readonly signal: AbortSignal
}

/** Controllers at work. */
export interface RunningControllers {
  /** Resolves after the signal has aborted and every controller has put its work down. Never rejects. */
  readonly stopped: Promise<void>
}

/** Starts every controller, for all logical clusters together. */
export function startControllers(options: ControllersOptions): RunningControllers {
  const { signal, logger } = options
  const namespaces = createNamespaces(options)
  const controllers: readonly [string, Promise<void>][] = [
    ['namespaces', namespaces.run(signal)],
    ['namespace', runNamespaceController(options, namespaces, options.namespaceContent, signal)],
    ['garbage-collection', runGarbageCollectionController(options, options.garbageCollection, signal)],
    ['service-account', runServiceAccountController(options, namespaces, signal)],
    ['root-ca', runRootCaController(options, namespaces, options.rootCertificate, signal)],
    ['cluster-role-aggregation', runClusterRoleAggregationController(options, options.aggregatedRules, signal)],
    ['event-expiry', runEventExpiryController(options, signal)],
  ]
  const paper: [string, Promise<void>][] = options.paperWorkloads
    ? [['paper-workloads', runPaperWorkloadsController(options, signal)]]
    : []
  const all = [...controllers, ...paper].map(([controller, running]) =>
    running.catch((error: unknown) => logger.error('a controller ended', { controller, error: String(error) })),
  )
  return { stopped: Promise.all(all).then(() => {}) }
}

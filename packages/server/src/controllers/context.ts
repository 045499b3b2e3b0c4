import type { Clock } from '@hykube/machinery/base'
import { messageOf } from '@hykube/machinery/base'
import type { Client } from '@hykube/runtime/client'
import type { ControllerLogger } from '@hykube/runtime/controller'

/** Dependencies of every controller. */
export interface ControllerContext {
  /**
   * Returns a client with full permissions for a logical cluster; `*` addresses all clusters, for lists and watches.
   */
  readonly clientFor: (cluster: string) => Client
  readonly clock: Clock
  readonly logger: ControllerLogger
}

/** A namespaced resource of the core group. */
export function coreResource(resource: string) {
  return { group: '', version: 'v1', resource } as const
}

/** Returns a callback that logs a failed watch; the informer retries it. */
export function watchFailure({ logger }: ControllerContext, controller: string): (error: unknown) => void {
  return (error) =>
    logger.error('a watch failed and will be retried', {
      controller,
      error: messageOf(error),
    })
}

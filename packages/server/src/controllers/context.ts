import type { Clock } from '@hykube/machinery/base'
import type { Client } from '@hykube/runtime/client'
import type { ControllerLogger } from '@hykube/runtime/controller'

/** What every controller works with. */
export interface ControllerContext {
  /** A client of a logical cluster; `*` is all of them, for lists and watches. Its user may do everything. */
  readonly clientFor: (cluster: string) => Client
  readonly clock: Clock
  readonly logger: ControllerLogger
}

/** A namespaced resource of the core group. */
export function coreResource(resource: string) {
  return { group: '', version: 'v1', resource } as const
}

/** Tells an operator that a watch failed and is tried again. */
export function watchFailure({ logger }: ControllerContext, controller: string): (error: unknown) => void {
  return (error) =>
    logger.error('a watch failed and is tried again', {
      controller,
      error: error instanceof Error ? error.message : String(error),
    })
}

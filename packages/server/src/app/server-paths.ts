import type { PathHandler } from '../http/index.ts'

/**
 * The paths that answer for the whole server and all of its logical clusters. The service serves them only in the root cluster, so a new path of
 * this kind belongs into this list and not among the paths of each cluster.
 */
export const serverPathNames = ['/backup', '/diagnosis', '/keys', '/keys/data', '/keys/master', '/metrics'] as const

/** The handler of each of these paths. */
export type ServerPaths = Readonly<Record<(typeof serverPathNames)[number], PathHandler>>

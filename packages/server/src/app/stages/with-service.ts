import { systemClock } from '@hykube/machinery/base'
import { addressRange } from '../../admission/index.ts'
import { resourceEndpoints, stateEndpoints } from '../../adopting/index.ts'
import {
  BodyBudget,
  createService,
  Discovery,
  FairSeats,
  type HealthCheck,
  healthAnswer,
  json,
  OpenApiDocuments,
  ResourceHandler,
  rootCluster,
  subresourceEndpoints,
  text,
  versionInfo,
} from '../../http/index.ts'
import { planEndpoints } from '../../plans/index.ts'
import { SyncMetrics } from '../../sync/index.ts'
import { bootstrapCluster } from '../bootstrap.ts'
import { diagnosisEndpoint } from '../diagnosis.ts'
import { accessEndpoints } from '../endpoints/access-endpoints.ts'
import { backupEndpoint } from '../endpoints/backup-endpoint.ts'
import { keysEndpoints } from '../endpoints/keys-endpoint.ts'
import { KeyRotation } from '../key-rotation.ts'
import { LocalClient, localPeer, localUser } from '../local/local-client.ts'
import { logRequest, RefusedCredentialsLog } from '../logs/request-log.ts'
import { Metrics } from '../metrics.ts'
import { isShared } from '../open-store.ts'
import type { ServerPaths } from '../server-paths.ts'
import type { WithTypes } from './with-types.ts'

export type WithService = Awaited<ReturnType<typeof withService>>

/** Creates the handler of requests, and with it the objects that every cluster has: afterwards local requests are answered. */
export async function withService(before: WithTypes) {
  const { options, store, sealer, report } = before
  const clusters: ReadonlySet<string> = new Set([rootCluster, ...options.clusters])
  const rotation = new KeyRotation({ store, sealer, isShared: isShared(options), clock: systemClock, report })
  const seats = new FairSeats()
  const syncMetrics = new SyncMetrics()
  const handler = handlerOf(before, clusters, rotation, seats, new Metrics(syncMetrics))
  const client = new LocalClient(handler)
  const apiAddress = addressRange(options.serviceAddressRange).at(0)
  for (const cluster of clusters) await bootstrapCluster(client, cluster, apiAddress)
  return { ...before, clusters, rotation, seats, syncMetrics, handler }
}

function handlerOf(
  before: WithTypes,
  clusters: ReadonlySet<string>,
  rotation: KeyRotation,
  seats: FairSeats,
  metrics: Metrics,
) {
  const { options, logger, api, access } = before
  const discovery = new Discovery(api.types)
  const version = versionInfo(options.version)
  const refusedCredentials = new RefusedCredentialsLog(logger)
  const logsRequests = options.verbosity >= 2
  const openApi = new OpenApiDocuments(api.types, { version: version.gitVersion })
  const checks = healthChecks(before)
  return createService({
    authenticator: access.authenticator,
    localUsers: new Map([[localPeer, localUser]]),
    authorizer: access.authorizer,
    seats,
    bodies: new BodyBudget(),
    onRefusedCredentials: (error, request) => refusedCredentials.refused(error, request),
    onAnswer: (facts, request) => {
      metrics.answered(facts)
      if (logsRequests && request.peer !== localPeer) logRequest(logger, facts, request)
    },
    hasCluster: (name) => clusters.has(name),
    resources: resourcesOf(before),
    paths: [
      (context) => healthAnswer(checks, context),
      (context) => discovery.answer(context),
      (context) => openApi.answer(context),
      ({ path }) => (path.path === '/version' ? json(200, version) : undefined),
      ({ path }) => (path.path === '/openid/v1/jwks' ? json(200, access.keys.jwks()) : undefined),
    ],
    serverPaths: new Map(Object.entries(serverPathsOf(before, rotation, metrics, seats))),
    onInternalError: (error, request) =>
      logger.error('a request failed', {
        method: request.method,
        path: request.path,
        reason: error.reason,
        why: error.message,
        stack: (error.cause as Error | undefined)?.stack,
      }),
  })
}

function resourcesOf({ options, api, access, parts, use }: WithTypes): ResourceHandler {
  const endpoints = new Map([
    ...subresourceEndpoints(api),
    ...accessEndpoints(access),
    ...planEndpoints({ parts, requiresSecondApprover: options.requireSecondApprover }),
    ...resourceEndpoints(parts, use),
    ...stateEndpoints(api, parts, use),
  ])
  return new ResourceHandler(api, endpoints)
}

function healthChecks({ store, hub }: WithTypes): readonly HealthCheck[] {
  return [
    { name: 'ping', on: ['livez', 'readyz'], check: async () => {} },
    { name: 'store', on: ['readyz'], check: async () => void (await store.now()) },
    // Roles, namespaces and watches depend on the change feed of the store; a server that lost it must be restarted.
    { name: 'watch', on: ['livez', 'readyz'], check: async () => hub.assertOpen() },
  ]
}

function serverPathsOf(
  { options, store, pki, parts: { runningProviders } }: WithTypes,
  rotation: KeyRotation,
  metrics: Metrics,
  seats: FairSeats,
): ServerPaths {
  return {
    ...keysEndpoints(rotation),
    '/backup': backupEndpoint(store, options.version),
    '/diagnosis': diagnosisEndpoint({ options, store, pki, runningProviders }),
    '/metrics': async () => text(200, metrics.text(await store.statistics(), seats.load)),
  }
}

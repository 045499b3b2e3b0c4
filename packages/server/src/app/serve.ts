import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@hykube/machinery/base'
import {
  AdmissionChain,
  addressRange,
  certificateRequester,
  limitRanger,
  namespaceLifecycle,
  rbacEscalation,
  resourceQuota,
  serviceAddresses,
} from '../admission/index.ts'
import { resourceEndpoints, stateEndpoints } from '../adopting/index.ts'
import { aggregatedRules, ensurePki, internalHosts, type Pki, writeAdminKubeconfig } from '../auth/index.ts'
import { fencedStore, Leases, leaseSpace, whileHolding } from '../coordination/index.ts'
import { DefinedTypes, withDefinitionBehaviour } from '../crd/index.ts'
import { Estate, estateIndex, estateSpaces, importClaims, keyedHash } from '../estate/index.ts'
import { templateSyntax } from '../expression/index.ts'
import {
  type Api,
  BodyBudget,
  createService,
  Discovery,
  FairSeats,
  type Front,
  type HealthCheck,
  healthAnswer,
  json,
  NamespaceGuard,
  OpenApiDocuments,
  openFront,
  ResourceHandler,
  rootCluster,
  type ServerCertificate,
  subresourceEndpoints,
  text,
  versionInfo,
} from '../http/index.ts'
import { builtInResourceTypes } from '../kinds/index.ts'
import { Engine, type EngineParts, planEndpoints, planRules, planType } from '../plans/index.ts'
import { isKindStub, providerConfigType, providerType } from '../provider/index.ts'
import {
  configurationRules,
  deletedProviderRules,
  importRules,
  managedContentRules,
  movingRules,
  ProviderUse,
  providerResolution,
  repetitionRules,
  resourceRules,
  resourceType,
  ServedKinds,
  stubGuard,
  useRules,
} from '../provider-kinds/index.ts'
import { claimIndex, ObjectStore, resourceSpaces, TypeRegistry, WatchHub } from '../resource/index.ts'
import { lockDirectory, restoreMarkOf, runCompaction, type Store } from '../storage/index.ts'
import { allowing, policyTypes, Sync, syncRules } from '../sync/index.ts'
import { type Access, createAccess } from './access.ts'
import { accessEndpoints } from './access-endpoints.ts'
import { backupEndpoint } from './backup-endpoint.ts'
import { bootstrapCluster } from './bootstrap.ts'
import { followCertificateFiles, readCertificateFiles } from './certificate-files.ts'
import { diagnosisEndpoint } from './diagnosis.ts'
import { startEngineParts } from './engine-parts.ts'
import { checkPort } from './free-port.ts'
import { KeyRotation } from './key-rotation.ts'
import { keysEndpoints } from './keys-endpoint.ts'
import { LocalClient, localPeer, localUser } from './local-client.ts'
import { createLocalTransport } from './local-transport.ts'
import { createLogger, type Logger } from './logger.ts'
import { Metrics } from './metrics.ts'
import { isShared, openStore } from './open-store.ts'
import { openQuotas } from './quotas.ts'
import { logRequest, RefusedCredentialsLog } from './request-log.ts'
import { type CompleteServeOptions, completeServeOptions, type ServeOptions } from './serve-options.ts'
import type { ServerPaths } from './server-paths.ts'
import { serviceAllocations, serviceClaims } from './service-allocations.ts'
import { Stopping } from './stopping.ts'

/** A running server. */
export interface RunningServer {
  /** `https://HOST:PORT` */
  readonly url: string
  readonly dataDirectory: string
  /** Resolves when the server stopped serving because its database was restored or replaced; the process must then exit. */
  readonly failed: Promise<Error>
  /** Stops serving, waits for running work, and closes the store. */
  close(): Promise<void>
}

/** Starts the parts of a server in order. They are stopped in reverse order, on close or when a later step fails. */
export async function serve(given: ServeOptions): Promise<RunningServer> {
  const options = completeServeOptions(given)
  const logger = createLogger(options.verbosity)
  const stopping = new Stopping()
  try {
    return await start(options, logger, stopping)
  } catch (error) {
    await stopping.run()
    throw error
  }
}

async function start(options: CompleteServeOptions, logger: Logger, stopping: Stopping): Promise<RunningServer> {
  await checkPort(options.bind, options.port)
  await mkdir(options.dataDirectory, { recursive: true, mode: 0o700 })
  const lock = await lockDirectory(options.dataDirectory)
  stopping.add(async () => lock.release())
  const pki = await ensurePki(options.dataDirectory, { hosts: [options.bind] })
  const serving = options.certificateFiles && (await readCertificateFiles(options.certificateFiles))
  const { promise: failed, resolve: fail } = Promise.withResolvers<Error>()
  const { store, sealer } = await openStore(options, [...resourceSpaces, ...estateSpaces, leaseSpace], logger, fail)
  stopping.add(() => store.close())
  const compaction = new AbortController()
  void runCompaction(store, { signal: compaction.signal, report: (message) => logger.error(message) })
  stopping.add(async () => compaction.abort())
  const hub = await WatchHub.open(store)
  stopping.add(() => hub.close())
  const kinds = new ServedKinds()
  const indexes = [claimIndex(serviceClaims), claimIndex(importClaims), estateIndex(kinds)]
  const objects = new ObjectStore(store, indexes)
  const estate = new Estate(store)
  const access = await createAccess(options, pki, objects, hub)
  const types = new TypeRegistry()
  const report = (message: string) => logger.error(message)
  const use = new ProviderUse(objects, access.authorizer)
  const hash = await keyedHash(store)
  const given = { options, logger, objects, hub, estate, hash, kinds, types, use, report }
  const parts = await startEngineParts(given, stopping)
  const quotas = await openQuotas(objects, hub, types)
  const api: Api = {
    objects,
    hub,
    types,
    namespaces: new NamespaceGuard(objects, hub),
    admission: new AdmissionChain([
      namespaceLifecycle,
      limitRanger(quotas.limitRangeReader),
      serviceAddresses(serviceAllocations(objects), options.serviceAddressRange),
      certificateRequester,
      rbacEscalation(access.authorizer, access.rbac),
      stubGuard,
      useRules(use, kinds),
      planRules(access.authorizer, kinds, options.requireSecondApprover),
      syncRules(access.authorizer, kinds),
      providerResolution(parts.kinds),
      configurationRules(parts.reader, estate, access.authorizer),
      resourceRules(parts.reader, estate, access.authorizer),
      managedContentRules(estate),
      deletedProviderRules(kinds),
      repetitionRules(parts.reader, estate),
      importRules(parts.reader, estate, access.authorizer),
      movingRules(parts.reader, estate, objects, access.authorizer, systemClock),
      resourceQuota(quotas.quotaReader),
    ]),
    authorizer: access.authorizer,
    clock: systemClock,
  }
  types.serveEverywhere(withDefinitionBehaviour(builtInResourceTypes(), api.clock))
  types.serveEverywhere([
    providerType(templateSyntax),
    providerConfigType(templateSyntax),
    planType(),
    ...policyTypes(api.clock),
    resourceType(kinds),
  ])
  const defined = await DefinedTypes.open({
    objects,
    hub,
    types,
    clock: api.clock,
    report,
    isServedElsewhere: isKindStub,
  })
  stopping.add(() => defined.close())
  const clusters = new Set([rootCluster, ...options.clusters])
  const ready: HealthCheck = { name: 'ping', on: ['livez', 'readyz'], check: async () => {} }
  const stored: HealthCheck = { name: 'store', on: ['readyz'], check: async () => void (await store.now()) }
  // Roles, namespaces and watches depend on the change feed of the store; a server that lost it must be restarted.
  const following: HealthCheck = { name: 'watch', on: ['livez', 'readyz'], check: async () => hub.assertOpen() }
  const { runningProviders } = parts
  const rotation = new KeyRotation({ store, sealer, isShared: isShared(options), clock: systemClock, report })
  const metrics = new Metrics()
  const seats = new FairSeats()
  const serverPaths: ServerPaths = {
    ...keysEndpoints(rotation),
    '/backup': backupEndpoint(store, options.version),
    '/diagnosis': diagnosisEndpoint({ options, store, pki, runningProviders }),
    '/metrics': async () => text(200, metrics.text(await store.statistics(), seats.load)),
  }
  const checks = [ready, stored, following]
  const handler = service(options, logger, api, access, clusters, checks, metrics, parts, use, serverPaths, seats)
  const client = new LocalClient(handler)
  const apiAddress = addressRange(options.serviceAddressRange).at(0)
  for (const cluster of clusters) await bootstrapCluster(client, cluster, apiAddress)
  const front = await openFront({
    certificate: serving ?? pki.server,
    ...(serving && { internal: { certificate: pki.server, names: internalHosts } }),
    tls: options.tls,
    clientCa: access.clientAuthorities.join('\n'),
    host: options.bind,
    port: options.port,
    handler,
    scheduler: seats.scheduler,
    connections: { total: options.maxConnections, perAddress: options.maxConnectionsPerAddress },
  })
  stopping.add(() => front.close(streamGrace))
  // The server's caches belong to the database that was replaced.
  void failed.then(() => front.close(0))
  if (serving !== undefined) stopping.add(followServingCertificate(options, serving, front, logger))
  const url = `https://${hostOf(options.bind)}:${front.port}`
  await writeKubeconfig(options, pki, url)
  const stopControllers = new AbortController()
  const control = async (signal: AbortSignal) => {
    // Loaded after the server has begun to serve, because no request waits for controllers.
    const { startControllers } = await import('../controllers/index.ts')
    const { contentIndex, ownerIndex, ownershipFeed } = await import('./controller-ports.ts')
    await startControllers({
      transport: createLocalTransport(handler),
      clock: systemClock,
      logger,
      garbageCollection: { index: ownerIndex(objects), feed: ownershipFeed(hub) },
      namespaceContent: contentIndex(api.types, objects),
      aggregatedRules,
      quotas: quotas.ports,
      rootCertificate: pki.authority.certificate,
      paperWorkloads: options.paperWorkloads === true ? 'running' : options.paperWorkloads || undefined,
      signal,
    }).stopped
  }
  const controlling = led(options, store, 'controllers', stopControllers.signal, control)
  controlling.catch((error: Error) => logger.error('the controllers do not run', { why: error.message }))
  stopping.add(async () => {
    stopControllers.abort()
    await controlling
  })
  const stopRotation = new AbortController()
  const rotating = rotation.run(stopRotation.signal, (work) =>
    led(options, store, 'key-rotation', stopRotation.signal, work),
  )
  stopping.add(async () => {
    stopRotation.abort()
    await rotating
  })
  const stopEngine = new AbortController()
  const engine = led(options, store, 'engine', stopEngine.signal, async (signal, own) => {
    logger.debug('plans are made and applied on this server')
    const ownParts = { ...parts, objects: new ObjectStore(own, indexes), estate: new Estate(own) }
    const sync = await Sync.open({
      ...ownParts,
      clusters,
      demandsSecond: options.requireSecondApprover,
      allows: allowing(access.authorizer),
    })
    const running = await Engine.open({
      ...ownParts,
      restoredAt: await restoreMarkOf(store),
      planRetention: options.planRetentionDays * 86_400_000,
    })
    await once(signal)
    await sync.close()
    const grace = new AbortController()
    const waited = systemClock.sleep(options.shutdownGraceSeconds * 1000, grace.signal).catch(() => {})
    await Promise.race([running.close(), waited])
    grace.abort()
  })
  engine.catch((error: Error) => logger.error('plans are not carried out', { why: error.message }))
  stopping.add(async () => {
    stopEngine.abort()
    await engine
  })
  return { url, dataDirectory: options.dataDirectory, failed, close: () => stopping.run() }
}

function followServingCertificate(
  { certificateFiles }: CompleteServeOptions,
  first: ServerCertificate,
  front: Front,
  logger: Logger,
): () => Promise<void> {
  const stop = followCertificateFiles(certificateFiles!, first, {
    onChange: (certificate) => {
      front.replaceCertificate(certificate)
      logger.info('serving with the new certificate')
    },
    onProblem: ({ message }) => logger.error('the changed certificate cannot be used', { why: message }),
  })
  return async () => stop()
}

// Milliseconds for in-flight requests when the server stops. Watches end at once.
const streamGrace = 5000

function service(
  options: CompleteServeOptions,
  logger: Logger,
  api: Api,
  access: Access,
  clusters: ReadonlySet<string>,
  checks: readonly HealthCheck[],
  metrics: Metrics,
  parts: EngineParts,
  use: ProviderUse,
  serverPaths: ServerPaths,
  seats: FairSeats,
) {
  const discovery = new Discovery(api.types)
  const endpoints = new Map([
    ...subresourceEndpoints(api),
    ...accessEndpoints(access),
    ...planEndpoints({ parts, requiresSecondApprover: options.requireSecondApprover }),
    ...resourceEndpoints(parts, use),
    ...stateEndpoints(api, parts, use),
  ])
  const resources = new ResourceHandler(api, endpoints)
  const version = versionInfo(options.version)
  const refusedCredentials = new RefusedCredentialsLog(logger)
  const logsRequests = options.verbosity >= 2
  const openApi = new OpenApiDocuments(api.types, { version: version.gitVersion })
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
    resources,
    paths: [
      (context) => healthAnswer(checks, context),
      (context) => discovery.answer(context),
      (context) => openApi.answer(context),
      ({ path }) => (path.path === '/version' ? json(200, version) : undefined),
      ({ path }) => (path.path === '/openid/v1/jwks' ? json(200, access.keys.jwks()) : undefined),
    ],
    serverPaths: new Map(Object.entries(serverPaths)),
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

// Runs work on one of several servers at a time, with a store that rejects its writes once it has lost the lease. On a store that only one
// server can open it runs at once.
async function led(
  options: CompleteServeOptions,
  store: Store,
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal, own: Store) => Promise<void>,
): Promise<void> {
  if (!isShared(options)) return work(signal, store)
  const leases = new Leases({ store, holder: `${hostname()} ${process.pid} ${randomUUID()}` })
  await whileHolding(leases, name, signal, ({ fence }, term) => work(term, fencedStore(store, fence)))
}

function once(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

async function writeKubeconfig(
  { dataDirectory, certificateFiles }: CompleteServeOptions,
  pki: Pki,
  url: string,
): Promise<void> {
  const file = join(dataDirectory, 'admin.kubeconfig')
  // The certificate of the files may have any issuer and name. For this server name the server presents its own certificate.
  const serverName = certificateFiles === undefined ? undefined : internalHosts.at(-1)
  await writeAdminKubeconfig(file, {
    server: url,
    authority: pki.authority.certificate,
    admin: pki.admin,
    serverName,
  })
}

// A wildcard address is reached through localhost.
function hostOf(bind: string): string {
  if (bind === '0.0.0.0' || bind === '::') return '127.0.0.1'
  return bind.includes(':') ? `[${bind}]` : bind
}

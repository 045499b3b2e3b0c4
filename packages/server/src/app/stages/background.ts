import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { systemClock } from '@hykube/machinery/base'
import { aggregatedRules } from '../../auth/index.ts'
import { fencedStore, Leases, whileHolding } from '../../coordination/index.ts'
import { Estate } from '../../estate/index.ts'
import { Engine } from '../../plans/index.ts'
import { ObjectStore } from '../../resource/index.ts'
import { restoreMarkOf, type Store } from '../../storage/index.ts'
import { allowing, Sync } from '../../sync/index.ts'
import { createLocalTransport } from '../local/local-transport.ts'
import { isShared } from '../open-store.ts'
import type { CompleteServeOptions } from '../serve-options.ts'
import type { Stopping } from '../stopping.ts'
import type { WithFront } from './with-front.ts'

/** Starts the work that no request waits for: controllers, the rotation of keys, and the engine of plans. */
export function startBackground(server: WithFront): void {
  const { options, store, logger, stopping, rotation } = server
  const lead = (name: string, signal: AbortSignal, work: LedWork) => led(options, store, name, signal, work)
  untilStopped(stopping, (signal) => {
    const controlling = lead('controllers', signal, (term) => runControllers(server, term))
    controlling.catch((error: Error) => logger.error('the controllers do not run', { why: error.message }))
    return controlling
  })
  untilStopped(stopping, (signal) => rotation.run(signal, (work) => lead('key-rotation', signal, work)))
  untilStopped(stopping, (signal) => {
    const engine = lead('engine', signal, (term, own) => runEngine(server, term, own))
    engine.catch((error: Error) => logger.error('plans are not carried out', { why: error.message }))
    return engine
  })
}

type LedWork = (signal: AbortSignal, own: Store) => Promise<void>

function untilStopped(stopping: Stopping, run: (signal: AbortSignal) => Promise<void>): void {
  const stop = new AbortController()
  const running = run(stop.signal)
  stopping.add(async () => {
    stop.abort()
    await running
  })
}

async function runControllers(server: WithFront, signal: AbortSignal): Promise<void> {
  const { options, logger, handler, objects, hub, api, quotas, pki } = server
  // Loaded after the server has begun to serve, because no request waits for controllers.
  const { startControllers } = await import('../../controllers/index.ts')
  const { contentIndex, ownerIndex, ownershipFeed } = await import('../controller-ports.ts')
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

async function runEngine(server: WithFront, signal: AbortSignal, own: Store): Promise<void> {
  const { options, logger, store, indexes, parts, access, clusters, syncMetrics } = server
  logger.debug('plans are made and applied on this server')
  const ownParts = { ...parts, objects: new ObjectStore(own, indexes), estate: new Estate(own) }
  const sync = await Sync.open({
    ...ownParts,
    clusters,
    demandsSecond: options.requireSecondApprover,
    allows: allowing(access.authorizer),
    metrics: syncMetrics,
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
}

// Runs work on one of several servers at a time, with a store that rejects its writes once it has lost the lease. On a store that only one
// server can open it runs at once.
async function led(
  options: CompleteServeOptions,
  store: Store,
  name: string,
  signal: AbortSignal,
  work: LedWork,
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

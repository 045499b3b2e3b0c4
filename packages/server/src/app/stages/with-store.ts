import { mkdir } from 'node:fs/promises'
import { serviceClaims } from '../../admission/index.ts'
import { ensurePki } from '../../auth/index.ts'
import { leaseSpace } from '../../coordination/index.ts'
import { Estate, estateIndex, estateSpaces, importClaims } from '../../estate/index.ts'
import { ServedKinds } from '../../provider-kinds/index.ts'
import { claimIndex, ObjectStore, resourceSpaces, WatchHub } from '../../resource/index.ts'
import { lockDirectory, runCompaction } from '../../storage/index.ts'
import { readCertificateFiles } from '../certificate-files.ts'
import { checkPort } from '../free-port.ts'
import type { Logger } from '../logs/logger.ts'
import { openStore } from '../open-store.ts'
import type { CompleteServeOptions } from '../serve-options.ts'
import type { Stopping } from '../stopping.ts'

/** The start of a server: nothing is up yet. */
interface Setup {
  readonly options: CompleteServeOptions
  readonly logger: Logger
  readonly stopping: Stopping
}

export type WithStore = Awaited<ReturnType<typeof withStore>>

/** Takes the data directory and opens the store: afterwards objects and the estate can be read and written. */
export async function withStore({ options, logger, stopping }: Setup) {
  await checkPort(options.bind, options.port)
  await mkdir(options.dataDirectory, { recursive: true, mode: 0o700 })
  const lock = await lockDirectory(options.dataDirectory)
  stopping.add(async () => lock.release())
  const pki = await ensurePki(options.dataDirectory, { hosts: [options.bind] })
  const serving = options.certificateFiles && (await readCertificateFiles(options.certificateFiles))
  const { promise: failed, resolve: fail } = Promise.withResolvers<Error>()
  const { store, sealer } = await openStore(options, [...resourceSpaces, ...estateSpaces, leaseSpace], logger, fail)
  stopping.add(() => store.close())
  const report = (message: string) => logger.error(message)
  const compaction = new AbortController()
  void runCompaction(store, { signal: compaction.signal, report })
  stopping.add(async () => compaction.abort())
  const hub = await WatchHub.open(store)
  stopping.add(() => hub.close())
  const kinds = new ServedKinds()
  const indexes = [claimIndex(serviceClaims), claimIndex(importClaims), estateIndex(kinds)]
  const objects = new ObjectStore(store, indexes)
  const estate = new Estate(store)
  return {
    options,
    logger,
    stopping,
    report,
    pki,
    serving,
    failed,
    store,
    sealer,
    hub,
    kinds,
    indexes,
    objects,
    estate,
  }
}

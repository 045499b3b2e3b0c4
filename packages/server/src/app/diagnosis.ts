import { X509Certificate } from 'node:crypto'
import { readdir, readFile, statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import type { Pki } from '../auth/index.ts'
import { json, type PathHandler, rootCluster } from '../http/index.ts'
import type { RunningProvider } from '../provider/index.ts'
import type { SqliteStore, Store } from '../storage/index.ts'
import { readCertificateFiles } from './certificate-files.ts'
import type { CompleteServeOptions } from './serve-options.ts'

/** What `GET /diagnosis` tells of this server and the machine it runs on. Bytes and milliseconds; undefined where it can't be known. */
export interface Diagnosis {
  readonly store: {
    readonly kind: string
    readonly bytes: number
    readonly walBytes?: number | undefined
    readonly keys: number
    /** What SQLite's own check found; undefined when it was not asked for, or the store has none. */
    readonly integrity?: readonly string[] | undefined
  }
  readonly disk: { readonly directory: string; readonly freeBytes: number; readonly totalBytes: number }
  readonly certificates: readonly { readonly name: string; readonly ends: string }[]
  /** The server's clock, and by how much somebody has moved it since the server started. */
  readonly clock: { readonly now: number; readonly moved: number }
  readonly limits: {
    readonly openFiles?: number | undefined
    readonly openFilesLimit?: number | undefined
    readonly memory: number
    /** Of the process: what its control group allows, otherwise what the machine has. */
    readonly memoryLimit: number
  }
  readonly processes: readonly RunningProvider[]
}

export interface DiagnosisSources {
  readonly options: CompleteServeOptions
  readonly store: Store
  readonly pki: Pki
  readonly runningProviders: () => Promise<readonly RunningProvider[]>
}

/** `GET /diagnosis`, root's alone; with `?integrity=true` the file of the store is read through on another thread. */
export function diagnosisEndpoint(sources: DiagnosisSources): PathHandler {
  const startedAt = Date.now() - performance.now()
  return async ({ path, query }) => {
    if (path.path !== '/diagnosis' || path.cluster !== rootCluster) return undefined
    const moved = Math.round(Date.now() - performance.now() - startedAt)
    return json(200, await diagnose(sources, { integrity: query.get('integrity') === 'true', moved }))
  }
}

async function diagnose(
  { options, store, pki, runningProviders }: DiagnosisSources,
  { integrity, moved }: { readonly integrity: boolean; readonly moved: number },
): Promise<Diagnosis> {
  const { bytes, keys, details } = await store.statistics()
  const checked = integrity && 'checkIntegrity' in store ? await (store as SqliteStore).checkIntegrity() : undefined
  const disk = await statfs(options.dataDirectory)
  const { certificateFiles } = options
  const served = certificateFiles && (await readCertificateFiles(certificateFiles).catch(() => undefined))
  return {
    store: {
      ...{ kind: options.store.split(':')[0]!, bytes, keys },
      walBytes: details.walBytes,
      integrity: checked,
    },
    disk: {
      directory: options.dataDirectory,
      freeBytes: disk.bavail * disk.bsize,
      totalBytes: disk.blocks * disk.bsize,
    },
    certificates: [
      { name: 'ca', ends: endOf(pki.authority.certificate) },
      { name: 'server', ends: endOf((served ?? pki.server).certificate) },
      { name: 'admin', ends: endOf(pki.admin.certificate) },
    ],
    clock: { now: Date.now(), moved },
    limits: await limits(),
    processes: await runningProviders(),
  }
}

function endOf(certificate: string): string {
  return new X509Certificate(certificate).validToDate.toISOString()
}

async function limits(): Promise<Diagnosis['limits']> {
  return {
    openFiles: await readdir('/proc/self/fd').then(
      (names) => names.length,
      () => undefined,
    ),
    openFilesLimit: await openFilesLimit(),
    memory: process.memoryUsage.rss(),
    // Without a bound of its own, a control group tells a number beyond any machine.
    memoryLimit: Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()),
  }
}

// Only Linux tells it in a file; elsewhere nothing is said of it.
async function openFilesLimit(): Promise<number | undefined> {
  const text = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const limit = Number(/^Max open files\s+(\d+)/m.exec(text)?.[1])
  return Number.isNaN(limit) ? undefined : limit
}

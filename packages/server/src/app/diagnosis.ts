import { X509Certificate } from 'node:crypto'
import { readdir, readFile, statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import type { Pki } from '../auth/index.ts'
import { json, type PathHandler } from '../http/index.ts'
import type { RunningProvider } from '../provider/index.ts'
import type { SqliteStore, Store } from '../storage/index.ts'
import { readCertificateFiles } from './certificate-files.ts'
import type { CompleteServeOptions } from './serve-options.ts'

/** The answer of `GET /diagnosis` about this server and its machine. In bytes and milliseconds; undefined when a value isn't available. */
export interface Diagnosis {
  readonly store: {
    readonly kind: string
    readonly bytes: number
    readonly walBytes?: number | undefined
    readonly keys: number
    /** The result of SQLite's integrity check; undefined when it wasn't requested or the store has none. */
    readonly integrity?: readonly string[] | undefined
  }
  readonly disk: { readonly directory: string; readonly freeBytes: number; readonly totalBytes: number }
  readonly certificates: readonly { readonly name: string; readonly ends: string }[]
  /** The server's clock, and how far it was adjusted since the server started. */
  readonly clock: { readonly now: number; readonly moved: number }
  readonly limits: {
    readonly openFiles?: number | undefined
    readonly openFilesLimit?: number | undefined
    readonly memory: number
    /** The limit of the process's control group, otherwise the memory of the machine. */
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

/** `GET /diagnosis`. With `?integrity=true` the whole store file is checked on another thread. */
export function diagnosisEndpoint(sources: DiagnosisSources): PathHandler {
  const startedAt = Date.now() - performance.now()
  return async ({ query }) => {
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
    // A control group without a limit reports a number larger than any memory.
    memoryLimit: Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()),
  }
}

// Available only on Linux.
async function openFilesLimit(): Promise<number | undefined> {
  const text = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const limit = Number(/^Max open files\s+(\d+)/m.exec(text)?.[1])
  return Number.isNaN(limit) ? undefined : limit
}

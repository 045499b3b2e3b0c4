import { isAbortError } from '@hykube/machinery/base'
import type { Lease, Leases } from './leases.ts'

/**
 * Runs `work` each time the lease is acquired, until the signal aborts. The signal passed to `work` also aborts when
 * the lease is lost; `work` must then return, and runs again when the lease is acquired again. Rejects only with errors
 * of `work`.
 */
export async function whileHolding(
  leases: Leases,
  name: string,
  signal: AbortSignal,
  work: (lease: Lease, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const lease = await leases.acquire(name, signal).catch((error: unknown) => {
      if (signal.aborted || isAbortError(error)) return undefined
      throw error
    })
    if (lease === undefined) return
    try {
      await work(lease, AbortSignal.any([signal, lease.lost]))
    } finally {
      await lease.release()
    }
  }
}

import { isAbortError } from '@hykube/machinery/base'
import type { Lease, Leases } from './leases.ts'

/**
 * Works whenever a lease is one's own, until the signal aborts. The work gets a signal of its own that aborts as soon as the
 * lease is lost; it ends then, and is begun anew with the next term. Never rejects but by what the work itself fails with.
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

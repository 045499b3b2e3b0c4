import { type Claims, claimedValue, claimKey, claimRange, type ObjectStore } from '../../../resource/index.ts'
import { claimsOf } from './claims.ts'
import type { AllocationReader } from './service-addresses.ts'

/** The claims of Services on addresses and ports. Other kinds claim nothing. */
export const serviceClaims: Claims = ({ group, resource }, object) =>
  group === '' && resource === 'services' ? claimsOf(object) : []

/** Reads the allocated addresses and ports from the store. */
export function serviceAllocations(objects: ObjectStore): AllocationReader {
  return {
    allocations: (cluster, range) => ({
      has: async (value) => (await objects.getByKey(claimKey(cluster, { range, value }))) !== undefined,
      async *all() {
        const claimed = claimRange(cluster, range)
        for await (const entries of objects.pages(claimed, { isLive: true })) {
          for (const { key } of entries) yield claimedValue(key)
        }
      },
    }),
  }
}

import { type AllocationReader, claimsOf } from '../admission/index.ts'
import { type Claims, claimedValue, claimKey, claimRange, type ObjectStore } from '../resource/index.ts'

/** Services hold addresses and ports that no other has; no other kind holds anything. */
export const serviceClaims: Claims = ({ group, resource }, object) =>
  group === '' && resource === 'services' ? claimsOf(object) : []

/** Who has what, as it is written in the store. */
export function serviceAllocations(objects: ObjectStore): AllocationReader {
  return {
    taken: (cluster, range) => ({
      has: async (value) => (await objects.getByKey(claimKey(cluster, { range, value }))) !== undefined,
      async *all() {
        const claimed = claimRange(cluster, range)
        let page = await objects.scan(claimed)
        for (;;) {
          for (const { key } of page.entries) yield claimedValue(key)
          if (page.last === undefined) return
          page = await objects.scan(claimed, { after: page.last })
        }
      },
    }),
  }
}

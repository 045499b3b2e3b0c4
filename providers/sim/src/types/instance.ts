import { createHash } from 'node:crypto'
import { attribute, schema } from '@hykube/provider-sdk/provider'
import type { Cloud } from '../cloud.ts'
import { simResource } from '../sim-resource.ts'
import type { WorldObject } from '../world.ts'
import { id, parseCidr, size, tags } from './common.ts'

/** A virtual machine in a subnet. */
export const instance = simResource({
  type: 'sim_instance',
  prefix: 'i',
  schema: schema({
    description: 'A virtual machine.',
    attributes: {
      id,
      subnet_id: attribute.string({
        required: true,
        requiresReplace: true,
        description: 'Subnet of the machine; a change replaces it.',
      }),
      image: attribute.string({
        required: true,
        requiresReplace: true,
        description: 'Image of the machine; a change replaces it.',
      }),
      size,
      tags,
      private_ip: attribute.string({
        computed: true,
        useStateForUnknown: true,
        description: 'Address within the subnet.',
      }),
    },
  }),
  fill: async (instanceId, planned, cloud) => ({ private_ip: await addressFor(instanceId, planned, cloud) }),
})

// Derives an address from the id, in the range of the subnet if it exists. Collisions are possible and accepted.
async function addressFor(instanceId: string, { subnet_id: subnetId }: WorldObject, { world }: Cloud): Promise<string> {
  const found = await world.read('sim_subnet', String(subnetId)).catch(() => undefined)
  const { first, count } = parseCidr(String(found?.cidr)) ?? { first: 10 * 2 ** 24, count: 2 ** 24 }
  const number = createHash('sha256').update(instanceId).digest().readUInt32BE(0)
  // The cloud reserves the first four addresses of a network and the last one.
  const address = first + (count > 8 ? 4 + (number % (count - 5)) : number % count)
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.')
}

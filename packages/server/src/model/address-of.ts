import { addressToText } from '@hykube/machinery/object'
import type { InstanceKey } from './instance-key.ts'
import type { ResourceObject } from './resource-object.ts'

/** Returns the address of an object or of one of its instances. The provider is named only when several providers have the type. */
export function addressOf({ ref, kind }: Pick<ResourceObject, 'ref' | 'kind'>, instance?: InstanceKey): string {
  return addressToText({
    ...(kind.isShared?.() && { provider: kind.provider }),
    data: kind.data,
    type: kind.type,
    name: ref.name,
    ...(instance !== undefined && { key: instance }),
  })
}

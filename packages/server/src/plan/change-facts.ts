import { addressToText } from '../expression/index.ts'
import type { ChangeRecord, ShownDiagnostic } from './change-record.ts'
import type { NodeFacts, NodeKind } from './facts.ts'
import type { InstanceKey } from './vocabulary/instance-key.ts'
import type { NodePlace } from './vocabulary/place.ts'

/** The address of an object or of one of its instances, as people in its namespace write it. */
export function addressOf({ place, kind }: Pick<NodeFacts, 'place' | 'kind'>, instance?: InstanceKey): string {
  return addressToText({
    ...(kind.isShared?.() && { provider: kind.provider }),
    data: kind.data,
    type: kind.type,
    name: place.name,
    ...(instance !== undefined && { key: instance }),
  })
}

/** What every record says of the object it is about. */
export function kindFacts({
  provider,
  type,
  kind,
  data,
}: NodeKind): Pick<ChangeRecord, 'provider' | 'type' | 'kind' | 'data'> {
  return { provider, type, kind, data }
}

/** What is in the way of an instance of which a call is under way, or of which nobody knows what came. */
export function openCallText(plan: string): string {
  return `plan ${JSON.stringify(plan)} is changing it, or nobody knows what came of that: see hykube resolve`
}

/** That something can't be planned, or not yet, and why. */
export function blockedRecord(
  node: { readonly place: NodePlace; readonly kind: NodeKind },
  address: string,
  action: 'blocked' | 'deferred',
  message: string,
  diagnostics?: readonly ShownDiagnostic[],
): ChangeRecord {
  return {
    ...kindFacts(node.kind),
    address,
    action,
    message,
    ...(diagnostics !== undefined && diagnostics.length > 0 && { diagnostics }),
  }
}

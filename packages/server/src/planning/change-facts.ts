import type { PlanDiagnostic } from '@hykube/machinery/plan-api'
import type { ChangeRecord, ResourceKind, ResourceRef } from '../model/index.ts'

/** Returns the fields of a change record that describe the kind. */
export function kindFacts({
  provider,
  type,
  kind,
  data,
}: ResourceKind): Pick<ChangeRecord, 'provider' | 'type' | 'kind' | 'data'> {
  return { provider, type, kind, data }
}

/** Returns the record of an instance or object that can't be planned, or not yet. */
export function blockedRecord(
  object: { readonly ref: ResourceRef; readonly kind: ResourceKind },
  address: string,
  action: 'blocked' | 'deferred',
  message: string,
  diagnostics?: readonly PlanDiagnostic[],
): ChangeRecord {
  return {
    ...kindFacts(object.kind),
    address,
    action,
    message,
    ...(diagnostics !== undefined && diagnostics.length > 0 && { diagnostics }),
  }
}

import type { KubernetesObject } from '@hykube/machinery/object'

/** Dependencies of the quota controller beyond the API. */
export interface QuotaPorts {
  /** Namespaces with quotas in which usage decreased, until the signal aborts. */
  readonly feed: (signal: AbortSignal) => AsyncIterable<{ readonly cluster: string; readonly namespace: string }>
  /** Calculates a quota's status from the current content of its namespace. */
  readonly calculate: (cluster: string, namespace: string, quota: KubernetesObject) => Promise<QuotaStatus>
}

export interface QuotaStatus {
  readonly hard: Readonly<Record<string, string>>
  readonly used: Readonly<Record<string, string>>
}

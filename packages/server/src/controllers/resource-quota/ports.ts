import type { KubernetesObject } from '@hykube/machinery/object'

/** What counting needs beyond what a client sees. */
export interface QuotaPorts {
  /** Namespaces with quotas in which something gave back what is counted, until the signal aborts. */
  readonly feed: (signal: AbortSignal) => AsyncIterable<{ readonly cluster: string; readonly namespace: string }>
  /** The status of a quota by what its namespace holds now. */
  readonly calculate: (cluster: string, namespace: string, quota: KubernetesObject) => Promise<QuotaStatus>
}

export interface QuotaStatus {
  readonly hard: Readonly<Record<string, string>>
  readonly used: Readonly<Record<string, string>>
}

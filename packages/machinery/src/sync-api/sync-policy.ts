import type { Condition } from '../object/index.ts'

/** How far the server acts by itself: not at all, report drift, propose a Plan, or apply it. */
export const syncModes = ['Manual', 'Detect', 'Propose', 'Reconcile'] as const

export type SyncMode = (typeof syncModes)[number]

/** The modes of `lifecycle.sync`. Another one is rejected: it needs a policy, which says who acts and within which limits. */
export const lifecycleModes: readonly SyncMode[] = ['Manual', 'Detect']

/** The events that a policy reacts to: a written spec, and a real resource that differs from what was applied. */
export const syncTriggers = ['Edit', 'Drift'] as const

export type SyncTrigger = (typeof syncTriggers)[number]

/** A time span that recurs: it opens when the cron expression matches and stays open for a duration. */
export interface SyncWindow {
  readonly cron: string
  readonly for: string
  /** An IANA time zone. Default: UTC. */
  readonly timezone?: string
}

/** A plan beyond `changes`, `deletes` or `replaces` is proposed instead of applied; `perMinute` slows the apply down. */
export interface SyncLimits {
  readonly changes?: number
  readonly deletes?: number
  readonly replaces?: number
  readonly perMinute?: number
}

/** `spec` of a SyncPolicy; a ClusterSyncPolicy adds `namespaceSelector`. */
export interface SyncPolicySpec {
  readonly selector?: object
  readonly namespaceSelector?: object
  readonly kinds?: readonly string[]
  readonly mode: SyncMode
  readonly serviceAccountName?: string
  readonly on?: readonly SyncTrigger[]
  readonly every?: string
  readonly settle?: string
  readonly windows?: readonly SyncWindow[]
  readonly limits?: SyncLimits
  readonly notify?: { readonly secretRef: { readonly name: string } }
  readonly suspend?: boolean
}

/** Annotation of a policy: each new value asks for a check at once (`hykube sync now`). */
export const checkRequest = 'hykube.io/check-requested-at'

/** `status` of a SyncPolicy. Only the server writes it. */
export interface SyncPolicyStatus {
  readonly observedGeneration?: number
  /** The objects that the policy holds for, and how many of them differ from what was applied. */
  readonly resources?: number
  readonly drifted?: number
  readonly lastCheck?: string
  readonly nextCheck?: string
  /** The request for a check (`hykube sync now`) that the last check answered. */
  readonly lastHandledRequest?: string
  /** The name of the policy's newest Plan. */
  readonly plan?: string
  readonly conditions?: readonly Condition[]
}

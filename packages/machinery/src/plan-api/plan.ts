import type { LabelSelectorObject } from '../selector/index.ts'
import type { ChangeOutcome, PlanAction } from './plan-change.ts'

/** `spec` of a Plan: what it covers and does. It can't be changed after creation. */
export interface PlanSpec {
  readonly mode?: 'Normal' | 'Destroy' | 'RefreshOnly'
  readonly refresh?: 'None' | 'Changed' | 'All'
  readonly scope?: 'Changed' | 'All'
  readonly allDifferences?: boolean
  readonly selector?: LabelSelectorObject
  readonly kinds?: readonly string[]
  readonly targets?: readonly string[]
  readonly excludes?: readonly string[]
  readonly replace?: readonly string[]
  readonly allNamespaces?: boolean
  readonly approval?: 'Manual' | 'Automatic'
  readonly parallelism?: number
  readonly expiresAfter?: string
}

/** Every phase of a Plan; true for final phases, after which nothing more happens. */
const phases = {
  Pending: false,
  Planning: false,
  Planned: false,
  NoChanges: true,
  Blocked: true,
  Approved: false,
  Rejected: true,
  Applying: false,
  Applied: true,
  PartiallyApplied: true,
  Failed: true,
  Canceled: true,
  Stale: true,
  Expired: true,
} as const

export type PlanPhase = keyof typeof phases

export const planPhases = Object.keys(phases) as readonly PlanPhase[]

export const finalPhases: ReadonlySet<PlanPhase> = new Set(planPhases.filter((phase) => phases[phase]))

/** `status` of a Plan. Only the server writes it. */
export interface PlanStatus {
  readonly phase: PlanPhase
  readonly summary?: PlanSummary
  readonly message?: string
  /** When planning ended, and the first and last revision of the store that it read. */
  readonly planned?: { readonly at: string; readonly revision: number; readonly through?: number }
  readonly approval?: PlanApproval
  readonly canceled?: { readonly by: string; readonly at: string }
  readonly progress?: PlanProgress
  readonly outcome?: { readonly added: number; readonly changed: number; readonly destroyed: number }
  /** The name of the Plan with the changes that this one deferred. */
  readonly followUp?: string
  readonly startedAt?: string
  readonly finishedAt?: string
}

/** Number of changes by action; absent counts as none. */
export type PlanSummary = { readonly [A in PlanAction]?: number } & {
  /** Replacements that forget the old object instead of destroying it. Absent when there are none. */
  readonly kept?: number
  /** Objects without changes, where their number is known without planning them. */
  readonly noop?: number
  /** Reads that ran during planning: commands of script providers. Absent when there are none. */
  readonly readWhilePlanning?: number
}

export interface PlanApproval {
  readonly decision: 'Approved' | 'Rejected'
  readonly by: string
  readonly at: string
  readonly message?: string
}

/** Progress of an apply. */
export interface PlanProgress {
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly running: readonly RunningChange[]
  /** Number of steps that ended so far. A replacement has two steps. */
  readonly ended?: number
  /** The last 50 of them, oldest first. */
  readonly recent?: readonly EndedStep[]
}

/** A step of a change that ended. */
export interface EndedStep {
  readonly address: string
  readonly action: StepAction
  readonly result: ChangeOutcome['result']
  readonly seconds: number
  /** The id of the real resource, unless it is sensitive. */
  readonly id?: string
}

/** The steps of a replacement are a create and a delete, or a forget. */
export type StepAction = Exclude<PlanAction, 'replace' | 'blocked' | 'deferred'>

/** A change whose provider call is under way. */
export interface RunningChange {
  readonly address: string
  readonly action: StepAction
  /** RFC 3339. */
  readonly since: string
}

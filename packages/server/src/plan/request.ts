import type { NodeFacts, NodeKind } from './facts.ts'
import type { InstanceKey } from './vocabulary/instance-key.ts'
import type { NodePlace } from './vocabulary/place.ts'

/** What a plan shall cover and do. */
export interface PlanRequest {
  readonly cluster: string
  readonly mode: 'Normal' | 'Destroy' | 'RefreshOnly'
  readonly refresh: 'None' | 'Changed' | 'All'
  /** Ignores marks and looks at everything in the selection. */
  readonly everything: boolean
  /** Which objects may change. */
  readonly selects: (node: NodeFacts) => boolean
  /** Which instances of a selected object may change; undefined for all. */
  readonly instancesOf: (node: NodeFacts) => ((instance: InstanceKey) => boolean) | undefined
  /** Whether everything is selected. */
  readonly unrestricted: boolean
  /** Whether anything shall be replaced that need not be. */
  readonly replacesSome: boolean
  /** Whether an instance shall be replaced, whatever it looks like. */
  readonly replaces: (place: NodePlace, kind: NodeKind, instance: InstanceKey) => boolean
  /** Why the plan's author may not use the provider of a kind; undefined when the author may. Default: every provider may be used. */
  readonly refusesUse?: (kind: NodeKind) => Promise<string | undefined>
}

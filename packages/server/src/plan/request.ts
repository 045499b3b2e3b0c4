import type { NodeFacts } from './ports.ts'

/** What a plan shall cover and do. */
export interface PlanRequest {
  readonly mode: 'Normal' | 'Destroy' | 'RefreshOnly'
  readonly refresh: 'None' | 'Changed' | 'All'
  /** Ignores marks and looks at everything in the selection. */
  readonly everything: boolean
  /** Which objects may change. */
  readonly selects: (node: NodeFacts) => boolean
  /** Whether everything is selected. */
  readonly unrestricted: boolean
  /** Addresses (`sim_network.a`, `sim_instance.web[3]`) that shall be replaced. */
  readonly replaces: (address: string) => boolean
}

import type { InstanceKey, ResourceKind, ResourceObject, ResourceRef } from '../../model/index.ts'

/** The scope and mode of a plan. */
export interface PlanRequest {
  readonly cluster: string
  readonly mode: 'Normal' | 'Destroy' | 'RefreshOnly'
  readonly refresh: 'None' | 'Changed' | 'All'
  /** Lists every difference outside, not only those that a plan would change. */
  readonly allDifferences: boolean
  /** Ignores marks and plans every selected object. */
  readonly everything: boolean
  /** Selects the objects that may change. */
  readonly selects: (object: ResourceObject) => Promise<boolean>
  /** Selects the instances of an object that may change; undefined for all. */
  readonly instancesOf: (object: ResourceObject) => ((instance: InstanceKey) => boolean) | undefined
  /** True when everything is selected. */
  readonly unrestricted: boolean
  /** True when the plan forces replacements. */
  readonly replacesSome: boolean
  /** True when the plan forces the replacement of an instance. */
  readonly replaces: (ref: ResourceRef, kind: ResourceKind, instance: InstanceKey) => boolean
  /** Returns why the plan's author may not use the provider of a kind; undefined when the author may. Default: every provider may be used. */
  readonly refusesUse?: (kind: ResourceKind) => Promise<string | undefined>
}

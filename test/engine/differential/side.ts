import type { Declared } from './declared.ts'
import type { Names, ShownChange } from './normal-form.ts'

/** Something that went wrong with one address. */
export interface Trouble {
  readonly address: string
  readonly text: string
}

/** The result of planning. */
export interface SidePlan {
  readonly changes: readonly ShownChange[]
  /** Resources that could not be planned. */
  readonly troubles: readonly Trouble[]
  /** The reason why there is no plan. */
  readonly error?: string
}

/** The real resources, which can be changed behind the provider's back. */
export interface ComparedWorld {
  all(): readonly { readonly type: string; readonly id: string; readonly object: Readonly<Record<string, unknown>> }[]
  edit(type: string, id: string, changes: Readonly<Record<string, unknown>>): void
  remove(type: string, id: string): void
  /** Has writes or deletions fail from now on; nothing more when there is none. */
  refuse(what: Refused): void
}

/** An operation that temporarily fails. */
export type Refused = { readonly verb: 'INSERT' | 'DELETE'; readonly type: string; readonly text: string } | undefined

/** The mode and targets of a plan. */
export interface Targeted {
  readonly mode: 'Normal' | 'Destroy'
  readonly targets: readonly string[]
}

/** One of the two that are compared. */
export interface Side {
  readonly world: ComparedWorld
  write(all: readonly Declared[]): Promise<void>
  plan(replaced: readonly string[], targeted?: Targeted): Promise<SidePlan>
  /** Applies the last plan; gives what of it was not done. */
  apply(): Promise<{ readonly troubles: readonly Trouble[]; readonly error?: string }>
  /** The names of what there is, by id. */
  names(): Promise<Names>
}

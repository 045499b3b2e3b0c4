import type { FieldSet } from './field-set.ts'

/** What one manager owns. */
export interface ManagedSet {
  readonly set: FieldSet
  readonly apiVersion: string
  /** Whether it applied a configuration, as opposed to an update. */
  readonly applied: boolean
}

/** Who owns what, by the identifier of each manager. */
export type Managers = ReadonlyMap<string, ManagedSet>

/** Conflicts of an apply, as paths by manager. Thrown by the updater, turned into a failure by the field manager. */
export class ApplyConflicts extends Error {
  readonly sets: ReadonlyMap<string, FieldSet>

  constructor(sets: ReadonlyMap<string, FieldSet>) {
    super('the configuration conflicts with other managers')
    this.name = 'ApplyConflicts'
    this.sets = sets
  }
}

import type { FieldSet } from './field-set.ts'

/** The fields that one manager owns, in one version. */
export interface ManagedSet {
  readonly set: FieldSet
  readonly apiVersion: string
  /** True for operation Apply, false for Update. */
  readonly applied: boolean
}

/** The owned fields by manager identifier. */
export type Managers = ReadonlyMap<string, ManagedSet>

/** The conflicts of an apply: fields by manager. Thrown by the updater; FieldManager turns it into a StatusError. */
export class ApplyConflicts extends Error {
  readonly sets: ReadonlyMap<string, FieldSet>

  constructor(sets: ReadonlyMap<string, FieldSet>) {
    super('the configuration conflicts with other managers')
    this.name = 'ApplyConflicts'
    this.sets = sets
  }
}

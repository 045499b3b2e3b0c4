/** Records that all instances of an object with `count` are settled and that there are no others. One record spares a plan from reading each instance. */
export interface BatchSettlement {
  /** A hash of every input of the instances' configurations except the index. */
  readonly template: string
  readonly count: number
}

/** The stored settlement of a batch and its revision; no revision when none was ever stored. */
export interface KnownBatch {
  readonly settled?: BatchSettlement
  readonly revision?: number
}

/** The settlement that holds for a batch once all changes of a plan are applied. */
export interface PlannedBatch extends BatchSettlement {
  /** The revision of the stored settlement when the plan was made; a newer one means that another plan changed the batch. */
  readonly seen?: number
}

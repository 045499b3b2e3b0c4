import type { PlannerPorts } from '../evaluation/index.ts'
import type {
  ChangedInstance,
  ChangeRecord,
  InstanceKey,
  InstanceStates,
  PlannedBatch,
  ResourceObject,
  ResourceRef,
  SettledFacts,
  StateRecord,
} from '../model/index.ts'
import type { PlanRequest } from './instances/request.ts'
import type { Listings } from './listings.ts'
import type { Visits } from './order/visits.ts'

/** The dependencies of planning an object. */
export interface PlanContext {
  readonly ports: PlannerPorts
  readonly request: PlanRequest
  readonly sink: PlanSink
  readonly visits: Visits
  /** Set with refresh `All`. */
  readonly listings?: Listings
  readonly isMarked: (refText: string) => boolean
  /** True when an earlier plan left work for an object, so that its batch settlement doesn't count. */
  readonly isUnsettled: (refText: string) => boolean
  /** Adds an object to the plan without waiting for its outcome. */
  readonly alsoVisit: (ref: ResourceRef) => void
  readonly signal: AbortSignal
}

/** Receives the results of planning. Calls arrive in any order. */
export interface PlanSink {
  change(target: ChangedInstance, record: ChangeRecord): Promise<void>
  /** Lists a read that was made while planning; nothing remains to be applied. */
  completedRead(target: ChangedInstance, record: ChangeRecord): Promise<void>
  /** Lists the changes of an object that were recorded so far. */
  changes(ref: ResourceRef): AsyncIterable<{ readonly target: ChangedInstance; readonly record: ChangeRecord }>
  /** Replaces a recorded change. */
  replaceChange(target: ChangedInstance, before: ChangeRecord, record: ChangeRecord): Promise<void>
  /** The objects with a resource that is destroyed or replaced, as texts of references. */
  readonly destroying: ReadonlySet<string>
  /** The objects with changes that leave a resource as it is, as texts of references. */
  readonly remaining: ReadonlySet<string>
  /** Instances that need no change. */
  settled(ref: ResourceRef, settlements: readonly Settlement[]): Promise<void>
  /** No instance of a batch needs a change, so the next plan with the same template needn't visit single instances. */
  settledBatch(ref: ResourceRef, batch: PlannedBatch): Promise<void>
  /** An object with so many instances needs no change; its status then shows success even if an earlier apply failed. */
  reportSettled(object: ResourceObject, size: number | undefined): Promise<void>
  /** An object needs no change, so its marks can be removed. */
  finished(ref: ResourceRef): Promise<void>
  /** An object needs no change with the planned inputs. They may never be applied, so its marks stay for the next plan. */
  keepMarks(ref: ResourceRef): void
  /** Instances of an object are not part of this plan, so its marks stay for the next plan. */
  exclude(ref: ResourceRef): Promise<void>
  /**
   * Stores the result of a refresh that differs from the current state; undefined deletes it. `changed` names the attributes whose value
   * differs for dependents. Returns the revision of the record.
   */
  observed(
    ref: ResourceRef,
    instance: InstanceKey,
    record: StateRecord | undefined,
    changed: () => readonly string[],
  ): Promise<number | undefined>
  /** An instance differs from its applied state. */
  differs(ref: ResourceRef): void
  /** Deletes the states of an instance without a real resource. */
  forgotten(ref: ResourceRef, states: InstanceStates): Promise<void>
  /** Stores the result of reading a data source; `shown` are its attributes without sensitive ones. */
  read(
    ref: ResourceRef,
    instance: InstanceKey,
    record: StateRecord,
    changed: readonly string[],
    shown: object,
  ): Promise<void>
}

/** An instance that needs no change with its current inputs. */
export interface Settlement {
  readonly instance: InstanceKey
  readonly slot: 'current' | 'observed'
  /** The fields of its state record that follow from the spec. */
  readonly facts: SettledFacts
  /** The revision of its state record, and the record if it is in memory. */
  readonly revision: number
  readonly record?: StateRecord
}

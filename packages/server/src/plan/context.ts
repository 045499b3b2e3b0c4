import type { PlannedBatch } from './batch-settlement.ts'
import type { ChangeRecord } from './change-record.ts'
import type { InstanceStates, NodeFacts } from './facts.ts'
import type { PlannerPorts } from './ports.ts'
import type { PlanRequest } from './request.ts'
import type { SettledFacts, StateRecord } from './state-record.ts'
import type { Sweeps } from './sweeps.ts'
import type { Visits } from './visits.ts'
import type { InstanceKey } from './vocabulary/instance-key.ts'
import type { NodePlace } from './vocabulary/place.ts'

/** What looking at one object needs. */
export interface PlanContext {
  readonly ports: PlannerPorts
  readonly request: PlanRequest
  readonly sink: PlanSink
  readonly visits: Visits
  /** Where everything is read. */
  readonly sweeps?: Sweeps
  readonly isMarked: (node: string) => boolean
  /** Whether something of an object was left to do, whatever is said of it as a whole. */
  readonly isUnsettled: (node: string) => boolean
  /** Has an object looked at, without waiting for it. */
  readonly alsoVisit: (place: NodePlace) => void
  readonly signal: AbortSignal
}

/** Where a plan goes as it is made. The order in which things arrive means nothing. */
export interface PlanSink {
  change(place: ChangedInstance, record: ChangeRecord): Promise<void>
  /** Lists a read that was carried out while planning. It is no change that waits for an apply. */
  readAlready(place: ChangedInstance, record: ChangeRecord): Promise<void>
  /** What the plan says of an object's instances by now. */
  changes(place: NodePlace): AsyncIterable<{ readonly place: ChangedInstance; readonly record: ChangeRecord }>
  /** Puts another change in the place of one that was recorded. */
  instead(place: ChangedInstance, before: ChangeRecord, record: ChangeRecord): Promise<void>
  /** The objects of which something is destroyed or replaced, as nodes. */
  readonly going: ReadonlySet<string>
  /** The objects that have changes of which something remains outside as it is, as nodes. */
  readonly staying: ReadonlySet<string>
  /** These instances need no change. */
  settled(place: NodePlace, settlements: readonly Settlement[]): Promise<void>
  /** No instance of a batch needs a change, so that the next plan need not look at single ones with the same template. */
  settledBatch(place: NodePlace, batch: PlannedBatch): Promise<void>
  /** Nothing is left to do for an object with so many instances: its status says so from now on, whatever failed before. */
  tellSettled(node: NodeFacts, size: number | undefined): Promise<void>
  /** Nothing is left to do for an object, so that the next plan need not look again. */
  finished(place: NodePlace): Promise<void>
  /** An object needs no change with inputs that are not applied yet: with others it may, so that the next plan must look again. */
  left(place: NodePlace): void
  /** Instances of an object are not part of the plan, so that the next plan must look at it, whatever becomes of the others. */
  leftOut(place: NodePlace): Promise<void>
  /** What a refresh saw, where it differs from what was known; undefined where it no longer does. */
  observed(place: NodePlace, instance: InstanceKey, record: StateRecord | undefined): Promise<number | undefined>
  /** What is known of an instance that nothing outside belongs to is forgotten. */
  forgotten(place: NodePlace, states: InstanceStates): Promise<void>
  /** What a data source said, and what of it everybody may see. */
  read(
    place: NodePlace,
    instance: InstanceKey,
    record: StateRecord,
    changed: readonly string[],
    shown: object,
  ): Promise<void>
}

/** Whom a change is for. */
export interface ChangedInstance {
  readonly node: NodePlace
  readonly instance: InstanceKey
  /** `deposed/<key>` for an object that was left behind, `object` for the object as a whole, else empty. */
  readonly part: string
}

/** That an instance is as it should be, for these inputs. */
export interface Settlement {
  readonly instance: InstanceKey
  readonly slot: 'current' | 'observed'
  /** What is kept of it beside what the provider said. */
  readonly facts: SettledFacts
  /** The revision of the record that this is said of, and the record itself where it is in hand. */
  readonly revision: number
  readonly record?: StateRecord
}

import { maximumSpaceBytes, type Space } from '../../storage/index.ts'

// Large enough for any provider answer and for a change with it: an answer has at most 32 MiB (--provider-answer-limit), and one byte of
// it takes at most seven in a record.
const largest = maximumSpaceBytes

/**
 * State records of instances: (group, resource, cluster, namespace, name, instance, slot). A slot is `current`, `observed` (the result of
 * the last refresh) or `deposed/<key>`.
 */
export const stateSpace: Space = { name: 'state', segments: 7, history: false, encrypted: true, skip: 2, largest }

/** References between objects: (cluster, set, target, attribute, dependent). Targets and dependents are encoded by refToText. */
export const edgeSpace: Space = { name: 'edges', segments: 5, history: false }

/** Objects for the next plan: (cluster, kind, namespace, ref). */
export const markSpace: Space = { name: 'marks', segments: 4, history: false }

/** Reviews of provider changes: (cluster, namespace, ref of the provider or its configuration). */
export const reviewSpace: Space = { name: 'reviews', segments: 3, history: false }

/** Intents, without their requests: (cluster, namespace, ref, instance). */
export const journalSpace: Space = { name: 'journal', segments: 4, history: false, encrypted: true, largest }

/** Requests of intents that differ from the planned change: the same keys. */
export const requestSpace: Space = { name: 'requests', segments: 4, history: false, encrypted: true, largest }

/** Changes of plans: (cluster, uid of the plan, ref, instance, part). */
export const changeSpace: Space = { name: 'changes', segments: 5, history: false, encrypted: true, largest }

/** Outcomes of changes that succeeded without a message: the same keys. Not encrypted, because they hold no values. */
export const outcomeSpace: Space = { name: 'outcomes', segments: 5, history: false }

/** Batch records: (cluster, namespace, ref). */
export const batchSpace: Space = { name: 'batches', segments: 3, history: false, encrypted: true }

/** Authorized uses of sensitive values: (cluster, ref). */
export const useSpace: Space = { name: 'uses', segments: 2, history: false }

/** The key of the keyed hash: (name). */
export const hashKeySpace: Space = { name: 'hash-key', segments: 1, history: false, encrypted: true }

/** All spaces of this room. */
export const estateSpaces: readonly Space[] = [
  stateSpace,
  edgeSpace,
  markSpace,
  reviewSpace,
  journalSpace,
  requestSpace,
  changeSpace,
  outcomeSpace,
  batchSpace,
  useSpace,
  hashKeySpace,
]

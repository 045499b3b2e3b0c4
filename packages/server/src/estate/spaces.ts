import { maximumSpaceBytes, type Space } from '../storage/index.ts'

// Whatever a provider may answer can be kept, and so can a change made from it: an answer has at most 32 MiB
// (--provider-answer-limit), and one byte of it takes at most seven in a record.
const largest = maximumSpaceBytes

/**
 * What providers said of the instances of objects: (group, resource, cluster, namespace, name, instance, slot). A slot is
 * `current`, `observed` (what the last refresh saw) or `deposed/<key>`.
 */
export const stateSpace: Space = { name: 'state', segments: 7, history: false, encrypted: true, skip: 2, largest }

/** Who refers to whom: (cluster, set, target, attribute, dependent); targets and dependents as nodeToText gives them. */
export const edgeSpace: Space = { name: 'edges', segments: 5, history: false }

/** What has to be looked at by the next plan: (cluster, kind, namespace, node). */
export const markSpace: Space = { name: 'marks', segments: 4, history: false }

/** Up to which change of a provider's configuration a namespace was looked through: (cluster, namespace, node). */
export const reviewSpace: Space = { name: 'reviews', segments: 3, history: false }

/** Calls to providers whose outcome is not known yet, without what was sent: (cluster, namespace, node, instance). */
export const journalSpace: Space = { name: 'journal', segments: 4, history: false, encrypted: true, largest }

/** What such calls sent, where their changes do not say it: the same keys. */
export const requestSpace: Space = { name: 'requests', segments: 4, history: false, encrypted: true, largest }

/** The changes of plans: (cluster, uid of the plan, node, instance, part). */
export const changeSpace: Space = { name: 'changes', segments: 5, history: false, encrypted: true, largest }

/** What came of the changes of plans, where nothing is to be said but that it was done: the same keys. */
export const outcomeSpace: Space = { name: 'outcomes', segments: 5, history: false }

/** How the instances of objects with `count` stand as a whole: (cluster, namespace, node). */
export const batchSpace: Space = { name: 'batches', segments: 3, history: false, encrypted: true }

/** Which uses of sensitive values were authorized when they were written: (cluster, node). */
export const useSpace: Space = { name: 'uses', segments: 2, history: false }

/** The key of hashes that secrets go into: (name). */
export const hashKeySpace: Space = { name: 'hash-key', segments: 1, history: false, encrypted: true }

/** Every space this room needs of a store. */
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

import type { Space } from '../storage/index.ts'

/**
 * What providers said of the instances of objects: (group, resource, cluster, namespace, name, instance, slot). A slot is
 * `current`, `observed` (what the last refresh saw) or `deposed/<key>`.
 */
export const stateSpace: Space = { name: 'state', segments: 7, history: false, encrypted: true, skip: 2 }

/** Who refers to whom: (cluster, set, target, attribute, dependent); targets and dependents as nodeToText gives them. */
export const edgeSpace: Space = { name: 'edges', segments: 5, history: false }

/** What has to be looked at by the next plan: (cluster, namespace, node, kind). */
export const markSpace: Space = { name: 'marks', segments: 4, history: false }

/** How objects with many instances were last settled: (cluster, node). */
export const settlementSpace: Space = { name: 'settlements', segments: 2, history: false, encrypted: true }

/** Calls to providers whose outcome is not known yet: (cluster, namespace, node, instance). */
export const journalSpace: Space = { name: 'journal', segments: 4, history: false, encrypted: true }

/** The changes of plans: (cluster, uid of the plan, node, instance, part). */
export const changeSpace: Space = { name: 'changes', segments: 5, history: false, encrypted: true }

/** Every space this room needs of a store. */
export const estateSpaces: readonly Space[] = [
  stateSpace,
  edgeSpace,
  markSpace,
  settlementSpace,
  journalSpace,
  changeSpace,
]

import { timeToText } from '@hykube/machinery/amounts'
import type { UserInfo } from '../../auth/index.ts'
import { dropChanges } from '../../estate/index.ts'
import { type ChangeRecord, type ResourceRef, refToText } from '../../model/index.ts'
import { Listings, makePlan, type PlanRequest } from '../../planning/index.ts'
import { usesOf } from '../authors-use.ts'
import type { EngineParts } from '../engine-parts.ts'
import { statusWriter } from '../status/status-writer.ts'
import { type WrittenDrift, writeDriftStatus } from '../status/write-drift.ts'
import { EstateSink } from './plan-sink.ts'

/** A check for drift that belongs to no Plan. */
export interface DriftCheck {
  readonly cluster: string
  /** Names the check among its records. One check of an id runs at a time; a later one removes what an earlier one left. */
  readonly id: string
  readonly refs: readonly ResourceRef[]
  /** The user whose permission to use restricted providers counts. */
  readonly actor: UserInfo
  /** Shared by the pages of a check, so that each type is listed at most once. */
  readonly listings: Listings
}

export interface ReadProblem {
  readonly ref: ResourceRef
  readonly message: string
}

/** The listings of one check. Their number is bounded, because they stay in memory until the check ends; others are read one by one. */
export function checkListings({ reader }: EngineParts): Listings {
  return new Listings(reader, mostListed)
}

const mostListed = 100_000

/** The result of a check. */
export interface DriftFound {
  /** Objects whose condition Drifted changed. */
  readonly written: readonly WrittenDrift[]
  /** Objects that could not be read, and why. */
  readonly problems: readonly ReadProblem[]
}

/**
 * Reads the real resources of objects and records what differs from what was applied, as a plan in mode RefreshOnly does, without
 * storing a Plan. Changes that the planner records on the way are removed again.
 */
export async function checkDrift(
  parts: EngineParts,
  { cluster, id, refs, actor, listings }: DriftCheck,
  signal: AbortSignal,
): Promise<DriftFound> {
  const { estate, clock, reader } = parts
  const drop = () => estate.commit({ operations: dropChanges(cluster, id) })
  await drop()
  const draft = { uid: id, cluster, namespace: '', name: id }
  const now = () => timeToText(clock.now())
  const sink = new EstateSink(draft, estate, await estate.now(), statusWriter(parts), now)
  const request = { ...requestFor(cluster, refs), refusesUse: usesOf(parts, cluster, actor) }
  const isMarked = () => false
  await makePlan(reader, request, { refs: each(refs), isMarked, isUnsettled: isMarked }, sink, signal, listings)
  const written: WrittenDrift[] = []
  for (const ref of sink.observedObjects) {
    const drift = await writeDriftStatus(parts, ref)
    if (drift !== undefined) written.push(drift)
  }
  const problems: ReadProblem[] = []
  for await (const { target, record } of estate.changes<ChangeRecord>(cluster, id))
    if (record.action === 'blocked') problems.push({ ref: target.ref, message: `${record.address}: ${record.message}` })
  await drop()
  return { written, problems }
}

function requestFor(cluster: string, refs: readonly ResourceRef[]): PlanRequest {
  const selected = new Set(refs.map(refToText))
  return {
    cluster,
    mode: 'RefreshOnly',
    refresh: 'All',
    allDifferences: false,
    everything: false,
    selects: async ({ ref }) => selected.has(refToText(ref)),
    instancesOf: () => undefined,
    unrestricted: false,
    replacesSome: false,
    replaces: () => false,
  }
}

async function* each(refs: readonly ResourceRef[]): AsyncGenerator<ResourceRef> {
  yield* refs
}

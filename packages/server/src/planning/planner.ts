import type { PlannerPorts } from '../evaluation/index.ts'
import { type ResourceRef, refToText } from '../model/index.ts'
import type { PlanContext, PlanSink } from './context.ts'
import type { PlanRequest } from './instances/request.ts'
import { Listings } from './listings.ts'
import type { ObjectOutcome } from './object-outcome.ts'
import { Visits } from './order/visits.ts'
import { drain } from './order/work-queue.ts'
import { planObject } from './plan-object.ts'
import { plannedOutputs } from './planned-outputs.ts'
import { protectUsed } from './protect-used.ts'

/** The starting points of a plan. */
export interface PlanSeeds {
  /** The objects to visit first. */
  readonly refs: AsyncIterable<ResourceRef>
  /** True when an object must be planned even if none of its inputs change. */
  readonly isMarked: (refText: string) => boolean
  /** True when an earlier plan left work for an object, so that its batch settlement doesn't count. */
  readonly isUnsettled: (refText: string) => boolean
}

/**
 * Makes a plan. It visits the seeds, the objects they refer to, and the dependents of objects that change, and no others, so the cost
 * follows the change. `listings` is given where several plans read resources of the same types.
 */
export async function makePlan(
  ports: PlannerPorts,
  request: PlanRequest,
  seeds: PlanSeeds,
  sink: PlanSink,
  signal: AbortSignal,
  listings = request.refresh === 'All' ? new Listings(ports) : undefined,
): Promise<void> {
  const found: ResourceRef[] = []
  const context: PlanContext = {
    ports,
    request,
    sink,
    isMarked: seeds.isMarked,
    isUnsettled: seeds.isUnsettled,
    signal,
    ...(listings !== undefined && { listings }),
    alsoVisit: (ref) => void found.push(ref),
    visits: new Visits(
      (ref, text) => planObject(context, ref, text),
      (ref, kind) => rebuiltOutcome(context, ref, kind),
    ),
  }
  const work = async (ref: ResourceRef, add: (ref: ResourceRef) => void) => {
    signal.throwIfAborted()
    if (context.visits.isReduced(ref)) return
    const outcome = await context.visits.of(ref)
    if (!(await ports.isReferredTo(ref))) context.visits.reduceOutcome(ref)
    else if (outcome.kind !== 'unchanged' && context.visits.expand(ref))
      for await (const dependent of affectedDependents(ports, ref, outcome)) add(dependent)
    for (const other of found.splice(0)) add(other)
  }
  await drain(seeds.refs, work, objectsAtOnce)
  if (request.mode !== 'RefreshOnly') await protectUsed(context)
}

// Objects planned concurrently: enough to fill batches of provider calls.
const objectsAtOnce = 64

// Rebuilds the outcome of an object whose outcome was reduced, for a dependent that was written while the plan was made.
function rebuiltOutcome(context: PlanContext, ref: ResourceRef, kind: 'unchanged' | 'changed'): ObjectOutcome {
  const outputs = async () => {
    const object = await context.ports.object(ref)
    return object === undefined
      ? { repetition: 'single' as const, instances: new Map() }
      : plannedOutputs(context, object)
  }
  if (kind === 'unchanged') return { kind, outputs }
  return { kind, isPending: true, attributes: new Set(['*']), triggers: new Set(), triggersOf: new Map(), outputs }
}

// Lists the dependents of the changed attributes; all dependents when more than attributes changed.
async function* affectedDependents(
  ports: PlannerPorts,
  ref: ResourceRef,
  outcome: ObjectOutcome,
): AsyncGenerator<ResourceRef> {
  if (outcome.kind !== 'changed' || outcome.attributes.has('*')) {
    yield* ports.dependents(ref, undefined)
    return
  }
  const seen = new Set<string>()
  for (const attribute of new Set([...outcome.attributes, ...outcome.triggers, '*']))
    for await (const dependent of ports.dependents(ref, attribute)) {
      const text = refToText(dependent)
      if (!seen.has(text)) yield dependent
      seen.add(text)
    }
}

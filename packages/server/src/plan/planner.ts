import type { PlanContext, PlanSink } from './context.ts'
import type { NodeOutcome } from './node-outcome.ts'
import { planNode } from './plan-node.ts'
import { plannedOutputs } from './planned-outputs.ts'
import type { PlannerPorts } from './ports.ts'
import { protectUsed } from './protect-used.ts'
import type { PlanRequest } from './request.ts'
import { Sweeps } from './sweeps.ts'
import { Visits } from './visits.ts'
import { type NodePlace, nodeToText } from './vocabulary/place.ts'
import { drain } from './work-queue.ts'

/** What a plan begins with. */
export interface PlanSeeds {
  /** The objects to look at. */
  readonly places: AsyncIterable<NodePlace>
  /** Whether an object has to be looked at, whatever it refers to. */
  readonly isMarked: (node: string) => boolean
  /** Whether something of an object was left to do, whatever is said of it as a whole. */
  readonly isUnsettled: (node: string) => boolean
}

/**
 * Makes a plan: looks at what is marked, at what that refers to, and at whoever refers to what changes; at nothing else.
 */
export async function makePlan(
  ports: PlannerPorts,
  request: PlanRequest,
  seeds: PlanSeeds,
  sink: PlanSink,
  signal: AbortSignal,
): Promise<void> {
  const found: NodePlace[] = []
  const context: PlanContext = {
    ports,
    request,
    sink,
    isMarked: seeds.isMarked,
    isUnsettled: seeds.isUnsettled,
    signal,
    ...(request.refresh === 'All' && { sweeps: new Sweeps(ports) }),
    alsoVisit: (place) => void found.push(place),
    visits: new Visits(
      (place, text) => planNode(context, place, text),
      (place, kind) => lookedAt(context, place, kind),
    ),
  }
  const work = async (place: NodePlace, add: (place: NodePlace) => void) => {
    signal.throwIfAborted()
    if (context.visits.isLetGo(place)) return
    const outcome = await context.visits.of(place)
    if (!(await ports.isReferredTo(place))) context.visits.letGo(place)
    else if (outcome.kind !== 'unchanged')
      for await (const dependent of concerned(ports, place, outcome)) add(dependent)
    for (const other of found.splice(0)) add(other)
  }
  await drain(seeds.places, work, objectsAtOnce)
  if (request.mode !== 'RefreshOnly') await protectUsed(context)
}

const objectsAtOnce = 64

// What is kept of an object to which nobody referred, for somebody who does after all: written while the plan was made.
function lookedAt(context: PlanContext, place: NodePlace, kind: 'unchanged' | 'changed'): NodeOutcome {
  const outputs = async () => {
    const node = await context.ports.node(place)
    return node === undefined ? { repetition: 'single' as const, instances: new Map() } : plannedOutputs(context, node)
  }
  if (kind === 'unchanged') return { kind, outputs }
  return { kind, isPending: true, attributes: new Set(['*']), triggers: new Set(), triggersOf: new Map(), outputs }
}

// Whoever looks up an attribute that changes. When more than attributes changed, whoever refers to the object at all.
async function* concerned(ports: PlannerPorts, place: NodePlace, outcome: NodeOutcome): AsyncGenerator<NodePlace> {
  if (outcome.kind !== 'changed' || outcome.attributes.has('*')) {
    yield* ports.dependents(place, undefined)
    return
  }
  const seen = new Set<string>()
  for (const attribute of new Set([...outcome.attributes, ...outcome.triggers, '*']))
    for await (const dependent of ports.dependents(place, attribute)) {
      const text = nodeToText(dependent)
      if (!seen.has(text)) yield dependent
      seen.add(text)
    }
}

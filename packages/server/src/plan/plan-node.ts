import { referencesOf, type SpecReference } from '../expression/index.ts'
import { AuthorizedUses } from './authorized-uses.ts'
import type { PlanContext } from './context.ts'
import type { NodeFacts } from './facts.ts'
import type { FoundInputs } from './found-inputs.ts'
import { Inputs } from './inputs.ts'
import { configurationOf } from './lifecycle.ts'
import { concerns, isPending, type NodeOutcome, triggers } from './node-outcome.ts'
import { type Obstacle, problemText, stop } from './obstacle.ts'
import { repetitionOf } from './outputs.ts'
import { planGoing, planOrphan } from './plan-going.ts'
import { planInstances } from './plan-instances.ts'
import { knownOutputs } from './planned-outputs.ts'
import { type ReferenceTarget, resolveReference, usedAttribute, waitsFor } from './references.ts'
import { takesValue } from './sensitive-reach.ts'
import type { InstanceKey } from './vocabulary/instance-key.ts'
import type { NodePlace } from './vocabulary/place.ts'

/** Looks at one object: what is there of it, what it refers to, and what has to change. */
export async function planNode(context: PlanContext, place: NodePlace, text: string): Promise<NodeOutcome> {
  const { ports, request } = context
  const node = await ports.node(place)
  // A plan that only looks destroys nothing, whatever was deleted meanwhile.
  const isLooking = request.mode === 'RefreshOnly'
  if (node === undefined) return isLooking ? { kind: 'missing' } : planOrphan(context, place)
  const isLeft =
    !request.selects(node) || (isLooking && node.deleting) || (request.mode === 'Destroy' && node.kind.data)
  if (isLeft) return { kind: 'unchanged', outputs: () => knownOutputs(context, node) }
  if (node.deleting || request.mode === 'Destroy') return planGoing(context, node)
  return planKept(context, node, text)
}

async function planKept(context: PlanContext, node: NodeFacts, text: string): Promise<NodeOutcome> {
  const { references, problems } = referencesOf(node.kind.schema.block, node.spec)
  const found = await followReferences(context, node, references)
  const { everything, refresh } = context.request
  if (!everything && refresh !== 'All' && !context.isMarked(text) && !found.affected)
    return { kind: 'unchanged', outputs: () => knownOutputs(context, node) }
  const obstacle =
    problems[0] === undefined ? found.obstacle : { kind: 'blocked' as const, message: problemText(problems[0]) }
  if (obstacle !== undefined) return stop(context, node, obstacle)
  return planInstances(context, node, { ...found, repetition: repetitionOf(node.spec) })
}

async function followReferences(
  context: PlanContext,
  node: NodeFacts,
  references: readonly SpecReference[],
): Promise<FoundInputs & { readonly affected: boolean; readonly obstacle: Obstacle | undefined }> {
  const inputs = new Inputs()
  const targets: ReferenceTarget[] = []
  let obstacle: Obstacle | undefined
  let affected = false
  const triggering: ((instance: InstanceKey) => boolean)[] = []
  let dependencyPending = false
  let inputPending = false
  const uses = new AuthorizedUses(context.ports, node.place)
  for (const use of references) {
    const { reference, role } = use
    const target = resolveReference(node, reference, context.ports.kinds)
    if (target === undefined) continue
    if ('problem' in target) {
      affected = true
      obstacle ??= { kind: 'blocked', message: `${target.text}: ${target.problem}` }
      continue
    }
    targets.push(target)
    if (reference.kind !== 'resource') {
      if (reference.kind === 'secret' || reference.kind === 'configmap')
        inputs.takeText(reference, await context.ports.keyValue(reference.kind, target.place, reference.key))
      continue
    }
    const outcome = await context.visits.referredTo(node.place, target.place)
    const isConcerned = concerns(outcome, usedAttribute(node.kind, target))
    if (role === 'replace_triggered_by' && outcome.kind === 'changed' && outcome.triggers.has(target.attribute)) {
      triggering.push((instance) => triggers(outcome, target.attribute, reference.instance, instance))
      affected = true
    }
    const waits = node.kind.data && (role === 'depends_on' || waitsFor(node.kind, target))
    const isAwaited = waits && context.request.mode === 'Normal' && isPending(outcome)
    affected ||= isConcerned || isAwaited
    inputPending ||= isConcerned && isPending(outcome)
    dependencyPending ||= isAwaited
    obstacle ??= obstacleOf(target, outcome)
    if ('outputs' in outcome && takesValue(use)) {
      const outputs = await outcome.outputs()
      inputs.takeOutputs(reference, outputs)
      obstacle ??= refusedUse(await uses.problem(use, outputs))
    }
  }
  const { configured, ...more } = await followConfiguration(context, node)
  return {
    inputs,
    configured,
    targets: [...targets, ...more.targets],
    ...(triggering.length > 0 && {
      triggered: (instance: InstanceKey) => triggering.some((does) => does(instance)),
    }),
    inputPending: inputPending || more.inputPending,
    dependencyPending,
    affected: affected || more.affected,
    obstacle: obstacle ?? more.obstacle,
  }
}

// What the configuration of its provider is made of comes before whoever uses it.
async function followConfiguration(context: PlanContext, node: NodeFacts) {
  const targets = await context.ports.configuredFrom(node.place, node.kind, configurationOf(node.spec))
  const configured = targets.length === 0 ? undefined : new Inputs()
  let affected = false
  let inputPending = false
  let obstacle: Obstacle | undefined
  const uses = new AuthorizedUses(context.ports, {
    ...node.place,
    group: 'hykube.io',
    resource: 'providerconfigs',
    name: configurationOf(node.spec),
  })
  for (const target of targets) {
    const outcome = await context.visits.referredTo(node.place, target.place)
    const isConcerned = concerns(outcome, target.attribute)
    affected ||= isConcerned
    inputPending ||= isConcerned && isPending(outcome)
    obstacle ??= obstacleOf(target, outcome)
    if ('outputs' in outcome && target.reference.kind === 'resource') {
      const outputs = await outcome.outputs()
      configured?.takeOutputs(target.reference, outputs)
      obstacle ??= refusedUse(await uses.problem(target.use, outputs))
    }
  }
  return { configured, targets, affected, inputPending, obstacle }
}

function refusedUse(message: string | undefined): Obstacle | undefined {
  return message === undefined ? undefined : { kind: 'blocked', message }
}

function obstacleOf({ text, place }: ReferenceTarget, outcome: NodeOutcome): Obstacle | undefined {
  const what = `${place.resource} ${JSON.stringify(place.name)} in namespace ${JSON.stringify(place.namespace)}`
  switch (outcome.kind) {
    case 'missing':
      return { kind: 'blocked', message: `${text}: there is no ${what}` }
    case 'going':
      return { kind: 'blocked', message: `${text}: ${what} is to be deleted` }
    case 'blocked':
    case 'deferred': {
      const { kind, message, root = `${what}, which is ${kind}: ${message}` } = outcome
      return { kind, message: `${text} waits for ${root}`, root }
    }
    default:
      return undefined
  }
}

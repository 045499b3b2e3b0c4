import {
  AuthorizedUses,
  configurationOf,
  Inputs,
  type ReferenceTarget,
  repetitionOf,
  resolveReference,
  takesValue,
  usedAttribute,
  waitsFor,
} from '../evaluation/index.ts'
import { referencesOf, type SpecReference } from '../expression/index.ts'
import type { InstanceKey, ResourceObject, ResourceRef } from '../model/index.ts'
import type { PlanContext } from './context.ts'
import type { FoundInputs } from './found-inputs.ts'
import { planInstances } from './instances/plan-instances.ts'
import { affects, isPending, type ObjectOutcome, triggers } from './object-outcome.ts'
import { blockObject, type Obstacle, problemText } from './obstacle.ts'
import { planDestruction, planOrphan } from './plan-destruction.ts'
import { knownOutputs } from './planned-outputs.ts'

/** Plans one object: resolves its references, then plans its instances, or their destruction. */
export async function planObject(context: PlanContext, ref: ResourceRef, text: string): Promise<ObjectOutcome> {
  const { ports, request } = context
  const object = await ports.object(ref)
  // A refresh-only plan destroys nothing, even if the object was deleted.
  const isRefreshOnly = request.mode === 'RefreshOnly'
  if (object === undefined) return isRefreshOnly ? { kind: 'missing' } : planOrphan(context, ref)
  const isExcluded =
    !(await request.selects(object)) ||
    (isRefreshOnly && object.deleting) ||
    (request.mode === 'Destroy' && object.kind.data)
  if (isExcluded) return { kind: 'unchanged', outputs: () => knownOutputs(context, object) }
  if (object.deleting || request.mode === 'Destroy') return planDestruction(context, object)
  return planKept(context, object, text)
}

async function planKept(context: PlanContext, object: ResourceObject, text: string): Promise<ObjectOutcome> {
  const { references, problems } = referencesOf(object.kind.schema.block, object.spec)
  const found = await followReferences(context, object, references)
  const { everything, refresh } = context.request
  if (!everything && refresh !== 'All' && !context.isMarked(text) && !found.affected)
    return { kind: 'unchanged', outputs: () => knownOutputs(context, object) }
  const obstacle =
    problems[0] === undefined ? found.obstacle : { kind: 'blocked' as const, message: problemText(problems[0]) }
  // A refresh-only plan reads a managed resource by its state, so unresolved references don't matter; their target may be deleted too.
  const isRead = context.request.mode === 'RefreshOnly' && !object.kind.data
  const blocking = isRead ? found.configurationObstacle : obstacle
  if (blocking !== undefined) return blockObject(context, object, blocking)
  return planInstances(context, object, { ...found, repetition: repetitionOf(object.spec) })
}

async function followReferences(
  context: PlanContext,
  object: ResourceObject,
  references: readonly SpecReference[],
): Promise<
  FoundInputs & {
    readonly affected: boolean
    readonly obstacle: Obstacle | undefined
    /** The part of it that keeps the provider from being configured. */
    readonly configurationObstacle: Obstacle | undefined
  }
> {
  const inputs = new Inputs()
  const targets: ReferenceTarget[] = []
  let obstacle: Obstacle | undefined
  let affected = false
  const triggering: ((instance: InstanceKey) => boolean)[] = []
  let dependencyPending = false
  let inputPending = false
  const uses = new AuthorizedUses(context.ports, object.ref)
  for (const use of references) {
    const { reference, role } = use
    const target = resolveReference(object, reference, context.ports.kinds)
    if (target === undefined) continue
    if ('problem' in target) {
      affected = true
      obstacle ??= { kind: 'blocked', message: `${target.text}: ${target.problem}` }
      continue
    }
    targets.push(target)
    if (reference.kind !== 'resource') {
      if (reference.kind === 'secret' || reference.kind === 'configmap')
        inputs.addText(reference, await context.ports.keyValue(reference.kind, target.ref, reference.key))
      continue
    }
    const outcome = await context.visits.referredTo(object.ref, target.ref)
    const isAffected = affects(outcome, usedAttribute(object.kind, target))
    if (role === 'replace_triggered_by' && outcome.kind === 'changed' && outcome.triggers.has(target.attribute)) {
      triggering.push((instance) => triggers(outcome, target.attribute, reference.instance, instance))
      affected = true
    }
    const waits = object.kind.data && (role === 'depends_on' || waitsFor(object.kind, target))
    const isAwaited = waits && context.request.mode === 'Normal' && isPending(outcome)
    affected ||= isAffected || isAwaited
    inputPending ||= isAffected && isPending(outcome)
    dependencyPending ||= isAwaited
    obstacle ??= obstacleOf(target, outcome)
    if ('outputs' in outcome && takesValue(use)) {
      const outputs = await outcome.outputs()
      inputs.addOutputs(reference, outputs)
      obstacle ??= refusedUse(await uses.problem(use, outputs))
    }
  }
  const { configured, ...more } = await followConfiguration(context, object)
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
    configurationObstacle: more.obstacle,
  }
}

// The objects that the provider configuration refers to are planned first.
async function followConfiguration(context: PlanContext, object: ResourceObject) {
  const targets = await context.ports.configuredFrom(object.ref, object.kind, configurationOf(object.spec))
  const configured = targets.length === 0 ? undefined : new Inputs()
  let affected = false
  let inputPending = false
  let obstacle: Obstacle | undefined
  const uses = new AuthorizedUses(context.ports, {
    ...object.ref,
    group: 'hykube.io',
    resource: 'providerconfigs',
    name: configurationOf(object.spec),
  })
  for (const target of targets) {
    const outcome = await context.visits.referredTo(object.ref, target.ref)
    const isAffected = affects(outcome, target.attribute)
    affected ||= isAffected
    inputPending ||= isAffected && isPending(outcome)
    obstacle ??= obstacleOf(target, outcome)
    if ('outputs' in outcome && target.reference.kind === 'resource') {
      const outputs = await outcome.outputs()
      configured?.addOutputs(target.reference, outputs)
      obstacle ??= refusedUse(await uses.problem(target.use, outputs))
    }
  }
  return { configured, targets, affected, inputPending, obstacle }
}

function refusedUse(message: string | undefined): Obstacle | undefined {
  return message === undefined ? undefined : { kind: 'blocked', message }
}

function obstacleOf({ text, ref }: ReferenceTarget, outcome: ObjectOutcome): Obstacle | undefined {
  const what = `${ref.resource} ${JSON.stringify(ref.name)} in namespace ${JSON.stringify(ref.namespace)}`
  switch (outcome.kind) {
    case 'missing':
      return { kind: 'blocked', message: `${text}: there is no ${what}` }
    case 'destroyed':
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

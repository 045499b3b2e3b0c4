import {
  type ConfigProblem,
  compileConfig,
  costLimitPerTemplates,
  type Evaluated,
  type ExpansionResult,
  evaluateConfig,
  expansionOf,
  Meter,
  type ResourceReference,
  referencesOf,
  reportableProblem,
  type SpecReference,
} from '../expression/index.ts'
import type { Refusal } from '../model/index.ts'
import {
  type InstanceKey,
  type InstanceStates,
  type ResourceObject,
  refToText,
  type WorkOrder,
} from '../model/index.ts'
import { AuthorizedUses } from './authorized-uses.ts'
import { fingerprintOf } from './fingerprint.ts'
import { hideConfigured } from './hide-secrets.ts'
import { Inputs } from './inputs.ts'
import type { InstanceConfig } from './instance-config.ts'
import { configurationOf, lifecycleOf } from './lifecycle.ts'
import { type Outputs, outputsOfStates, repetitionOf } from './outputs.ts'
import type { PlannerPorts, ProviderAccess } from './ports.ts'
import { type ReferenceTarget, resolveReference } from './references.ts'
import { takesValue } from './sensitive-reach.ts'

/** The configuration of an instance evaluated at apply time, and the objects that it refers to. */
export type CurrentConfiguration = InstanceConfig & { readonly kind: 'config'; readonly refersTo: readonly string[] }

/**
 * Evaluates the configuration of an instance at apply time. Refuses when an input that was known when the plan was made has changed
 * since; inputs that were unknown then may have any value.
 */
export async function currentConfiguration(
  ports: PlannerPorts,
  object: ResourceObject,
  instance: InstanceKey,
  access: ProviderAccess,
  work: WorkOrder,
): Promise<CurrentConfiguration | Refusal> {
  const found = await readInputs(ports, object, instance)
  if ('kind' in found) return found
  const { inputs, refersTo } = found
  const each = eachOf(object, instance, inputs)
  if (each === 'gone') return refused('its count or for_each no longer includes this instance')
  const scope = inputs.scope(instance, each)
  const { value, sensitive, problems } = evaluateConfig(
    object.kind.schema.block,
    object.spec,
    scope,
    new Meter(costLimitPerTemplates),
  )
  const problem = reportableProblem(problems) ?? failureOfAnother(object, instance, inputs, work)
  if (problem !== undefined) return refused(problem.message)
  const hash = (text: string) => ports.hash(text)
  const used = scope.used(hash)
  const changed = firstChanged(work.inputs, used)
  if (changed !== undefined) return refused(`${changed} has changed since the plan was made: make a new plan`)
  const { secrets } = scope
  hideConfigured(access, object.kind.schema, { value, sensitive, secrets })
  const fingerprint = fingerprintOf(value, lifecycleOf(object.spec), refersTo, access, hash)
  return { kind: 'config', value, sensitive, secrets, used, fingerprint, refersTo }
}

async function readInputs(
  ports: PlannerPorts,
  object: ResourceObject,
  own: InstanceKey,
): Promise<{ readonly inputs: Inputs; readonly refersTo: readonly string[] } | Refusal> {
  const inputs = new Inputs()
  const refersTo = new Set<string>()
  const uses = new AuthorizedUses(ports, object.ref)
  for (const use of referencesIn(object)) {
    const { reference } = use
    const target = resolveReference(object, reference, ports.kinds)
    if (target === undefined) continue
    if ('problem' in target) return refused(`${target.text}: ${target.problem}`)
    if (reference.kind === 'secret' || reference.kind === 'configmap')
      inputs.addText(reference, await ports.keyValue(reference.kind, target.ref, reference.key))
    if (reference.kind !== 'resource') continue
    refersTo.add(refToText(target.ref))
    if (!takesValue(use)) continue
    const outputs = await currentOutputs(ports, target, reference, own)
    if (outputs === undefined) return refused(`${target.text}: the object no longer exists`)
    const problem = await uses.problem(use, outputs)
    if (problem !== undefined) return refused(problem)
    inputs.addOutputs(reference, outputs)
  }
  for (const { ref } of await ports.configuredFrom(object.ref, object.kind, configurationOf(object.spec)))
    refersTo.add(refToText(ref))
  return { inputs, refersTo: [...refersTo] }
}

/** Reads the current outputs of a referenced object. A reference to one instance reads only that record, so a batch reads each record once. */
export async function currentOutputs(
  ports: PlannerPorts,
  { ref }: ReferenceTarget,
  { instance }: ResourceReference,
  own: InstanceKey,
): Promise<Outputs | undefined> {
  const object = await ports.object(ref)
  if (object === undefined) return undefined
  const repetition = repetitionOf(object.spec)
  const key = instance.kind === 'key' ? instance.key : instance.kind === 'same' ? own : undefined
  if (key === undefined && repetition !== 'single')
    return outputsOfStates(object.kind.schema, repetition, await expandedStates(ports, object))
  const state = await ports.state(ref, key)
  return outputsOfStates(object.kind.schema, repetition, state === undefined ? [] : [state])
}

// Leaves out instances that the current count or for_each no longer includes. The running plan destroys them, and the result must not
// depend on whether it already has.
async function expandedStates(ports: PlannerPorts, object: ResourceObject): Promise<readonly InstanceStates[]> {
  const states = await ports.states(object.ref)
  const isLiteral = expansions.has(object.spec) || expansionReferences(object.spec) === 0
  const found = isLiteral ? { inputs: new Inputs() } : await readInputs(ports, object, undefined)
  if ('kind' in found) return states
  return states.filter(({ instance }) => eachOf(object, instance, found.inputs) !== 'gone')
}

function expansionReferences(spec: ResourceObject['spec']): number {
  const expansion = expansionOf(spec)
  return 'references' in expansion ? expansion.references.length : 0
}

// Caches of results that depend on the spec alone, shared by all instances of an object.
const references = new WeakMap<object, readonly SpecReference[]>()
const expansions = new WeakMap<object, ExpansionResult>()

function referencesIn({ spec, kind }: ResourceObject): readonly SpecReference[] {
  let known = references.get(spec)
  if (known === undefined) {
    known = referencesOf(kind.schema.block, spec).references
    references.set(spec, known)
  }
  return known
}

function eachOf({ spec }: ResourceObject, instance: InstanceKey, inputs: Inputs): Evaluated | undefined | 'gone' {
  const result = expansions.get(spec) ?? expand(spec, inputs)
  if (result === 'single') return instance === undefined ? undefined : 'gone'
  if (result.kind === 'count') return typeof instance === 'number' && instance < result.count ? undefined : 'gone'
  if (result.kind !== 'for_each' || typeof instance !== 'string') return 'gone'
  return result.entries.get(instance) ?? 'gone'
}

function expand(spec: ResourceObject['spec'], inputs: Inputs): ExpansionResult | 'single' {
  const expansion = expansionOf(spec)
  if (expansion.kind === 'single') return 'single'
  if (expansion.kind === 'invalid') return { kind: 'unknown' }
  const result = expansion.evaluate(inputs.scope(undefined, undefined), new Meter(costLimitPerTemplates))
  if (expansion.references.length === 0) expansions.set(spec, result)
  return result
}

// If a sensitive value that the plan didn't know makes any instance fail, all instances are refused in the same words: which
// instances fail would disclose the value. Instances that refer to the same instance of another object have different inputs, and
// are judged alone as single objects are.
function failureOfAnother(
  object: ResourceObject,
  instance: InstanceKey,
  inputs: Inputs,
  work: WorkOrder,
): ConfigProblem | undefined {
  const wasKnown = work.inputs.every(([, hash]) => hash !== null)
  if (instance === undefined || wasKnown || !inputs.areSensitive || refersToSameInstance(object)) return undefined
  const text = inputs.text(Number.POSITIVE_INFINITY)
  const known = sensitiveFailures.get(object.spec)
  if (known !== undefined && known.inputs === text) return known.failure
  const failure = sensitiveFailure(object, inputs)
  if (text !== undefined) sensitiveFailures.set(object.spec, { inputs: text, failure })
  return failure
}

const sensitiveFailures = new WeakMap<
  object,
  { readonly inputs: string; readonly failure: ConfigProblem | undefined }
>()

function refersToSameInstance(object: ResourceObject): boolean {
  return referencesIn(object).some(
    ({ reference }) => reference.kind === 'resource' && reference.instance.kind === 'same',
  )
}

function sensitiveFailure(object: ResourceObject, inputs: Inputs): ConfigProblem | undefined {
  const expansion = expansions.get(object.spec) ?? expand(object.spec, inputs)
  const config = compileConfig(object.kind.schema.block, object.spec)
  for (const [key, each] of instancesOf(expansion)) {
    const { problems } = config.evaluate(inputs.scope(key, each), new Meter(costLimitPerTemplates))
    const problem = reportableProblem(problems)
    if (problem?.sensitive) return problem
  }
  return undefined
}

function* instancesOf(expansion: ExpansionResult | 'single'): Generator<[InstanceKey, Evaluated | undefined]> {
  if (expansion === 'single') return
  if (expansion.kind === 'for_each') yield* expansion.entries
  if (expansion.kind === 'count') for (let index = 0; index < expansion.count; index++) yield [index, undefined]
}

// Returns the first input that was known when the plan was made and has another hash now.
function firstChanged(planned: WorkOrder['inputs'], now: InstanceConfig['used']): string | undefined {
  const current = new Map(now)
  return planned.find(([text, hash]) => hash !== null && current.get(text) !== hash)?.[0]
}

function refused(message: string): Refusal {
  return { kind: 'refused', message }
}

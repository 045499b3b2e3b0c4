import { compileConfig, costLimitPerObject, type Evaluated, expansionOf, Meter } from '../expression/index.ts'
import type { PlanContext, Settlement } from './context.ts'
import type { InstanceStates, NodeFacts } from './facts.ts'
import type { FoundInputs } from './found-inputs.ts'
import { configurationOf, lifecycleOf } from './lifecycle.ts'
import type { NodeOutcome } from './node-outcome.ts'
import type { InstancePlan, NodePlan } from './node-plan.ts'
import { problemText, stop } from './obstacle.ts'
import type { OutputValue, Repetition } from './outputs.ts'
import { planDataInstance } from './plan-data.ts'
import { destroyDeposed, destroyInstance, isOutside } from './plan-going.ts'
import { planOne, stopOne } from './plan-one.ts'
import { nodesOf } from './references.ts'
import { compareInstances, type InstanceKey } from './vocabulary/instance-key.ts'

/** Plans the instances of an object that stays: those that `count` or `for_each` make, and those that they no longer make. */
export async function planInstances(
  context: PlanContext,
  node: NodeFacts,
  found: FoundInputs & { readonly repetition: Repetition },
): Promise<NodeOutcome> {
  const { ports, sink } = context
  const expanded = expand(node, found)
  if (expanded.kind !== 'expanded') return stop(context, node, expanded)
  const config = compileConfig(node.kind.schema.block, node.spec)
  const access = await ports.provider(node.place, node.kind, configurationOf(node.spec), found.configured)
  if ('problem' in access)
    return stop(context, node, { kind: access.isLater ? 'deferred' : 'blocked', message: access.problem })
  const plan: NodePlan = {
    node,
    config,
    access,
    inputs: found.inputs,
    lifecycle: lifecycleOf(node.spec),
    refersTo: nodesOf(found.targets.filter(({ kind }) => kind !== undefined)),
    triggered: found.triggered,
    dependencyPending: found.dependencyPending,
  }
  const states = new Map((await ports.states(node.place)).map((each) => [each.instance, each]))
  const results = new Results(found.repetition)
  const open = await ports.openCalls(node.place)
  const one = node.kind.data ? planDataInstance : planOne
  await inPortions([...expanded.instances], async ([instance, each]) => {
    const planned = { instance, each, states: states.get(instance) }
    const other = open.get(instance)
    results.add(
      instance,
      other === undefined
        ? await one(context, plan, planned)
        : await stopOne(context, plan, planned, 'blocked', openCall(other)),
    )
  })
  for (const [instance, state] of states) {
    if (expanded.instances.has(instance)) {
      if (await destroyDeposed(context, plan, state)) results.unsettled = true
    } else if (!isOutside(node.place, state)) {
      await sink.forgotten(node.place, state)
      results.drop()
    } else results.remove(await destroyInstance(context, plan, state, removalReason(found.repetition, state)))
  }
  // What is accepted need not be what is wanted.
  if (context.request.mode !== 'RefreshOnly' && (results.settlements.length > 0 || !results.unsettled))
    await sink.settled(node.place, results.settlements, results.unsettled)
  return results.outcome
}

type Expanded =
  | { readonly kind: 'expanded'; readonly instances: ReadonlyMap<InstanceKey, Evaluated | undefined> }
  | { readonly kind: 'blocked' | 'deferred'; readonly message: string }

function expand(node: NodeFacts, { inputs }: FoundInputs): Expanded {
  const expansion = expansionOf(node.spec)
  if (expansion.kind === 'single') return { kind: 'expanded', instances: new Map([[undefined, undefined]]) }
  if (expansion.kind === 'invalid') return { kind: 'blocked', message: problemText(expansion.problems[0]!) }
  const result = expansion.evaluate(inputs.scope(undefined, undefined), new Meter(costLimitPerObject))
  switch (result.kind) {
    case 'count':
      return { kind: 'expanded', instances: new Map(Array.from({ length: result.count }, (_, i) => [i, undefined])) }
    case 'for_each':
      return { kind: 'expanded', instances: result.entries }
    case 'unknown':
      return {
        kind: 'deferred',
        message: `spec.${expansion.kind} is known only after something else was applied: its instances are planned then`,
      }
    case 'refused':
      return { kind: 'blocked', message: problemText(result.problem) }
  }
}

function openCall(plan: string): string {
  return `plan ${JSON.stringify(plan)} is changing it, or nobody knows what came of that: see hykube resolve`
}

function removalReason(repetition: Repetition, { instance }: InstanceStates) {
  if (repetition === 'count' && typeof instance === 'number') return 'delete_because_count_index'
  if (repetition === 'for_each' && typeof instance === 'string') return 'delete_because_each_key'
  return 'delete_because_wrong_repetition'
}

/** What the instances of one object came to. */
class Results {
  readonly settlements: Settlement[] = []
  /** Whether something is left to do, so that the next plan must look again. */
  unsettled = false
  readonly #repetition: Repetition
  readonly #outputs = new Map<InstanceKey, OutputValue>()
  readonly #changed = new Set<string>()
  readonly #triggers = new Set<string>()
  readonly #triggersOf = new Map<InstanceKey, readonly string[]>()
  #blocked: string | undefined
  #deferred: string | undefined

  constructor(repetition: Repetition) {
    this.#repetition = repetition
  }

  add(instance: InstanceKey, plan: InstancePlan): void {
    switch (plan.kind) {
      case 'same':
        if (plan.settlement !== undefined) this.settlements.push(plan.settlement)
        this.#outputs.set(instance, plan.output)
        break
      case 'changed':
        this.unsettled = true
        for (const name of plan.attributes) this.#changed.add(name)
        for (const name of plan.triggers) this.#triggers.add(name)
        if (plan.triggers.length > 0) this.#triggersOf.set(instance, plan.triggers)
        this.#outputs.set(instance, plan.output)
        break
      case 'read':
        for (const name of plan.attributes) this.#changed.add(name)
        this.#outputs.set(instance, plan.output)
        break
      case 'blocked':
        this.unsettled = true
        this.#blocked ??= plan.message
        break
      case 'deferred':
        this.unsettled = true
        this.#deferred ??= plan.message
    }
  }

  drop(): void {
    this.#changed.add('*')
  }

  remove(blocked: string | undefined): void {
    this.unsettled = true
    this.#changed.add('*')
    this.#blocked ??= blocked
  }

  get outcome(): NodeOutcome {
    if (this.#blocked !== undefined) return { kind: 'blocked', message: this.#blocked }
    if (this.#deferred !== undefined) return { kind: 'deferred', message: this.#deferred }
    const instances = new Map([...this.#outputs].sort(([a], [b]) => compareInstances(a, b)))
    const outputs = async () => ({ repetition: this.#repetition, instances })
    return this.#changed.size === 0 && this.#triggers.size === 0
      ? { kind: 'unchanged', outputs }
      : { kind: 'changed', attributes: this.#changed, triggers: this.#triggers, triggersOf: this.#triggersOf, outputs }
  }
}

// So many at a time: enough for batches of a provider, and a bound for memory.
const portion = 256

async function inPortions<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += portion)
    await Promise.all(items.slice(start, start + portion).map(work))
}

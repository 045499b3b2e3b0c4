import { compileConfig, costLimitPerObject, Meter, shownProblem } from '../expression/index.ts'
import { type KnownBatch, type PlannedBatch, templateOf } from './batch-settlement.ts'
import { addressOf, blockedRecord, openCallText } from './change-facts.ts'
import type { PlanContext, Settlement } from './context.ts'
import { type Expansion, expand, MetInstances } from './expansion.ts'
import type { InstanceStates, NodeFacts } from './facts.ts'
import type { FoundInputs } from './found-inputs.ts'
import { InstanceResults } from './instance-results.ts'
import { lifecycleOf } from './lifecycle.ts'
import type { NodeOutcome } from './node-outcome.ts'
import type { InstancePlan, NodePlan, PlannedOne } from './node-plan.ts'
import { problemText, stop } from './obstacle.ts'
import { outputOfRecord, type Repetition } from './outputs.ts'
import { planDataInstance } from './plan-data.ts'
import { destroyDeposed, destroyInstance, isOutside } from './plan-going.ts'
import { planOne, stopOne } from './plan-one.ts'
import { plannedOutputs } from './planned-outputs.ts'
import { failedCall } from './provider-failure.ts'
import { providerOf } from './provider-of.ts'
import { nodesOf } from './references.ts'
import { isGone } from './state-record.ts'
import type { InstanceKey } from './vocabulary/instance-key.ts'
import { nodeToText } from './vocabulary/place.ts'

/** Plans the instances of an object that stays: those that `count` or `for_each` make, and those that they no longer make. */
export async function planInstances(
  context: PlanContext,
  node: NodeFacts,
  found: FoundInputs & { readonly repetition: Repetition },
): Promise<NodeOutcome> {
  const expansion = expand(node, found)
  if ('message' in expansion) return stop(context, node, expansion)
  const access = await providerOf(context, node, found.configured)
  if ('problem' in access)
    return stop(context, node, { kind: access.isLater ? 'deferred' : 'blocked', message: access.problem })
  const refersTo = nodesOf(found.targets.filter(({ kind }) => kind !== undefined))
  const isWhole = context.request.instancesOf(node) === undefined
  const isCounted = isWhole && expansion.kind === 'count' && !node.kind.data && context.request.mode === 'Normal'
  const template = isCounted
    ? templateOf(node, found.inputs, refersTo, access, (text) => context.ports.hash(text))
    : undefined
  // Before anything else of it is read: who changes instances meanwhile changes this first.
  const known = template === undefined ? undefined : await context.ports.batch(node.place)
  const plan: NodePlan = {
    node,
    config: compileConfig(node.kind.schema.block, node.spec),
    access,
    inputs: found.inputs,
    lifecycle: lifecycleOf(node.spec),
    refersTo,
    ...(found.triggered !== undefined && { triggered: found.triggered }),
    dependencyPending: found.dependencyPending,
    ...(expansion.kind !== 'single' && { size: expansion.size }),
    ...(template !== undefined && {
      batch: { template, count: expansion.size, ...(known?.revision !== undefined && { seen: known.revision }) },
    }),
  }
  return new InstancesPlan(context, plan, expansion, found, known).run()
}

class InstancesPlan {
  readonly #context: PlanContext
  readonly #plan: NodePlan
  readonly #expansion: Expansion
  readonly #repetition: Repetition
  readonly #inputPending: boolean
  readonly #known: KnownBatch | undefined
  readonly #results: InstanceResults
  readonly #isChosen: ((instance: InstanceKey) => boolean) | undefined
  #open: ReadonlyMap<InstanceKey, string> = new Map()
  /** Whether instances were left out of the plan. */
  #isPartial = false

  constructor(
    context: PlanContext,
    plan: NodePlan,
    expansion: Expansion,
    { repetition, inputPending }: FoundInputs & { readonly repetition: Repetition },
    known: KnownBatch | undefined,
  ) {
    this.#context = context
    this.#plan = plan
    this.#expansion = expansion
    this.#repetition = repetition
    this.#inputPending = inputPending
    this.#known = known
    this.#isChosen = context.request.instancesOf(plan.node)
    this.#results = new InstanceResults(repetition, expansion.size <= mostKept && this.#from === 0, () =>
      plannedOutputs(context, plan.node),
    )
  }

  async run(): Promise<NodeOutcome> {
    const { ports, request } = this.#context
    const { place } = this.#plan.node
    const failure = this.#sensitiveFailure()
    if (failure !== undefined) return stop(this.#context, this.#plan.node, { kind: 'blocked', message: failure })
    this.#open = await ports.openCalls(place)
    for (const [instance, plan] of this.#open)
      if (!this.#expansion.has(instance) && this.#isChosen?.(instance) !== false) await this.#holdBack(instance, plan)
    const met = new MetInstances(this.#expansion, this.#from)
    for await (const states of this.#states()) {
      for (const { instance } of states) if (this.#expansion.has(instance)) met.add(instance)
      await this.#together(states.map((each) => () => this.#look(each.instance, each)))
    }
    for (const keys of portions(met.missing())) await this.#together(keys.map((key) => () => this.#planMissing(key)))
    if (this.#isPartial) await this.#context.sink.leftOut(place)
    // What is accepted need not be what is wanted.
    if (request.mode !== 'RefreshOnly' && !this.#results.unsettled) await this.#finish()
    return this.#results.outcome
  }

  // Which instances fail may follow from a sensitive value: the object is blocked as a whole, before any of them is planned.
  #sensitiveFailure(): string | undefined {
    const { inputs, config } = this.#plan
    if (this.#expansion.kind === 'single' || !inputs.holdSensitive) return undefined
    for (const key of this.#expansion.keys(this.#from)) {
      const scope = inputs.scope(key, this.#expansion.each(key))
      const problem = shownProblem(config.evaluate(scope, new Meter(costLimitPerObject)).problems)
      if (problem?.sensitive) return problemText(problem)
    }
    return undefined
  }

  // Where nothing was marked when the plan began there is nothing to take away.
  async #finish(): Promise<void> {
    const { sink, isMarked } = this.#context
    const { node, size } = this.#plan
    const { place } = node
    const batch = this.#settledBatch
    if (this.#inputPending) sink.left(place)
    else {
      // Before the marks go: without them the next plan does not look at the object.
      await sink.tellSettled(node, size)
      if (batch !== undefined || isMarked(nodeToText(place))) await sink.finished(place)
    }
    if (batch !== undefined) await sink.settledBatch(place, batch)
  }

  // With the same template, whatever is settled stays settled: only indices that appear or vanish are looked at.
  get #from(): number {
    const { request, isUnsettled } = this.#context
    const { node, batch, triggered } = this.#plan
    const settled = this.#known?.settled
    const isLookedAtAnyway =
      request.everything ||
      request.refresh === 'All' ||
      request.replacesSome ||
      triggered !== undefined ||
      isUnsettled(nodeToText(node.place))
    if (settled === undefined || settled.template !== batch?.template || isLookedAtAnyway) return 0
    return Math.min(settled.count, this.#expansion.size)
  }

  get #settledBatch(): PlannedBatch | undefined {
    const { batch } = this.#plan
    const settled = this.#known?.settled
    return settled?.template === batch?.template && settled?.count === batch?.count ? undefined : batch
  }

  // What is known of the instances, some at a time.
  async *#states(): AsyncGenerator<readonly InstanceStates[]> {
    let after: { readonly key: InstanceKey } | undefined = this.#from === 0 ? undefined : { key: this.#from - 1 }
    for (;;) {
      const { instances, more } = await this.#context.ports.instances(this.#plan.node.place, after, portion)
      if (instances.length > 0) yield instances
      if (!more) return
      after = { key: instances.at(-1)!.instance }
    }
  }

  async #together(work: readonly (() => Promise<Settlement | undefined>)[]): Promise<void> {
    const settlements = (await Promise.all(work.map((each) => each()))).filter((each) => each !== undefined)
    const { request, sink } = this.#context
    if (settlements.length > 0 && request.mode !== 'RefreshOnly') await sink.settled(this.#plan.node.place, settlements)
  }

  async #planMissing(instance: InstanceKey): Promise<Settlement | undefined> {
    if (this.#isChosen?.(instance) === false) return this.#leaveOut(instance, undefined)
    return this.#planOne(instance, undefined)
  }

  // An instance that is not part of the plan is to others what is known of it.
  #leaveOut(instance: InstanceKey, states: InstanceStates | undefined): undefined {
    this.#isPartial = true
    this.#results.unsettled = true
    const seen = (states?.observed ?? states?.current)?.record
    if (seen === undefined || isGone(seen)) return
    this.#results.add(instance, { kind: 'same', output: () => outputOfRecord(this.#plan.node.kind.schema, seen) })
  }

  async #look(instance: InstanceKey, states: InstanceStates): Promise<Settlement | undefined> {
    const { place } = this.#plan.node
    if (this.#isChosen?.(instance) === false) return this.#leaveOut(instance, states)
    const isLooking = this.#context.request.mode === 'RefreshOnly'
    if (this.#expansion.has(instance)) {
      const settlement = await this.#planOne(instance, states)
      if (!isLooking && (await destroyDeposed(this.#context, this.#plan, states))) this.#results.unsettled = true
      return settlement
    }
    if (this.#open.has(instance) || isLooking) return undefined
    if (isOutside(place, states))
      this.#results.remove(
        await destroyInstance(this.#context, this.#plan, states, removalReason(this.#repetition, states)),
      )
    else {
      await this.#context.sink.forgotten(place, states)
      this.#results.drop()
    }
    return undefined
  }

  // One that shall go, and of which a call is under way.
  async #holdBack(instance: InstanceKey, plan: string): Promise<void> {
    const { node } = this.#plan
    const message = openCallText(plan)
    const place = { node: node.place, instance, part: '' }
    await this.#context.sink.change(place, blockedRecord(node, addressOf(node, instance), 'blocked', message))
    this.#results.remove(message)
  }

  async #planOne(instance: InstanceKey, states: InstanceStates | undefined): Promise<Settlement | undefined> {
    const one = { instance, each: this.#expansion.each(instance), states }
    const result = await this.#result(one)
    this.#results.add(instance, result)
    return result.kind === 'same' ? result.settlement : undefined
  }

  async #result(one: PlannedOne): Promise<InstancePlan> {
    const other = this.#open.get(one.instance)
    if (other !== undefined) return stopOne(this.#context, this.#plan, one, 'blocked', openCallText(other))
    const planIt = this.#plan.node.kind.data ? planDataInstance : planOne
    try {
      return await planIt(this.#context, this.#plan, one)
    } catch (error) {
      // What a provider does wrong concerns the instance that it was asked about.
      const { message, diagnostics } = failedCall(this.#context, error)
      return stopOne(this.#context, this.#plan, one, 'blocked', message, diagnostics)
    }
  }
}

function removalReason(repetition: Repetition, { instance }: InstanceStates) {
  if (repetition === 'count' && typeof instance === 'number') return 'delete_because_count_index'
  if (repetition === 'for_each' && typeof instance === 'string') return 'delete_because_each_key'
  return 'delete_because_wrong_repetition'
}

// So many at a time: enough for batches of a provider, and a bound for memory.
const portion = 256

// Of more instances than this, values are not kept in memory.
const mostKept = 1000

function* portions<T>(items: Iterable<T>): Generator<readonly T[]> {
  let some: T[] = []
  for (const item of items) {
    some.push(item)
    if (some.length < portion) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

import { lifecycleOf, outputOfRecord, type Repetition, targetRefs } from '../../evaluation/index.ts'
import { compileConfig, costLimitPerTemplates, Meter, reportableProblem } from '../../expression/index.ts'
import type { InstanceKey, InstanceStates, KnownBatch, PlannedBatch, ResourceObject } from '../../model/index.ts'
import { addressOf, hasRealResource, isGone, openCallText, refToText } from '../../model/index.ts'
import { blockedRecord } from '../change-facts.ts'
import type { PlanContext, Settlement } from '../context.ts'
import { type Expansion, expand, InstancesWithState } from '../expansion.ts'
import type { FoundInputs } from '../found-inputs.ts'
import type { ObjectOutcome } from '../object-outcome.ts'
import type { InstancePlan, InstanceToPlan, ObjectPlan } from '../object-plan.ts'
import { blockObject, problemText } from '../obstacle.ts'
import { planDataInstance } from '../plan-data.ts'
import { destroyDeposed, destroyInstance } from '../plan-destruction.ts'
import { plannedOutputs } from '../planned-outputs.ts'
import { failedCall } from '../provider-failure.ts'
import { providerOf } from '../provider-of.ts'
import { templateOf } from './batch-template.ts'
import { InstanceResults } from './instance-results.ts'
import { blockInstance, planManagedInstance } from './plan-managed-instance.ts'

/** Plans the instances of an object: the desired ones, and those that `count` or `for_each` no longer include. */
export async function planInstances(
  context: PlanContext,
  object: ResourceObject,
  found: FoundInputs & { readonly repetition: Repetition },
): Promise<ObjectOutcome> {
  const expansion = expand(object, found)
  if ('message' in expansion) return blockObject(context, object, expansion)
  const access = await providerOf(context, object, found.configured)
  if ('problem' in access)
    return blockObject(context, object, { kind: access.isLater ? 'deferred' : 'blocked', message: access.problem })
  const refersTo = targetRefs(found.targets.filter(({ kind }) => kind !== undefined))
  const isWhole = context.request.instancesOf(object) === undefined
  const isCounted = isWhole && expansion.kind === 'count' && !object.kind.data && context.request.mode === 'Normal'
  const template = isCounted
    ? templateOf(object, found.inputs, refersTo, access, (text) => context.ports.hash(text))
    : undefined
  // Read before the states: a plan that changes instances changes the batch record first, so a concurrent change is noticed.
  const known = template === undefined ? undefined : await context.ports.batch(object.ref)
  const plan: ObjectPlan = {
    object,
    config: compileConfig(object.kind.schema.block, object.spec),
    access,
    inputs: found.inputs,
    lifecycle: lifecycleOf(object.spec),
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
  readonly #plan: ObjectPlan
  readonly #expansion: Expansion
  readonly #repetition: Repetition
  readonly #inputPending: boolean
  readonly #known: KnownBatch | undefined
  readonly #results: InstanceResults
  readonly #isChosen: ((instance: InstanceKey) => boolean) | undefined
  #open: ReadonlyMap<InstanceKey, string> = new Map()
  /** True when the plan's selection excludes instances. */
  #isPartial = false

  constructor(
    context: PlanContext,
    plan: ObjectPlan,
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
    this.#isChosen = context.request.instancesOf(plan.object)
    this.#results = new InstanceResults(repetition, expansion.size <= mostKept && this.#from === 0, () =>
      plannedOutputs(context, plan.object),
    )
  }

  async run(): Promise<ObjectOutcome> {
    const { ports, request } = this.#context
    const { ref } = this.#plan.object
    const failure = this.#sensitiveFailure()
    if (failure !== undefined)
      return blockObject(this.#context, this.#plan.object, { kind: 'blocked', message: failure })
    this.#open = await ports.openCalls(ref)
    for (const [instance, plan] of this.#open)
      if (!this.#expansion.has(instance) && this.#isChosen?.(instance) !== false)
        await this.#blockOpenCall(instance, plan)
    const met = new InstancesWithState(this.#expansion, this.#from)
    for await (const states of this.#states()) {
      for (const { instance } of states) if (this.#expansion.has(instance)) met.add(instance)
      await this.#planTogether(states.map((each) => () => this.#planExisting(each.instance, each)))
    }
    for (const keys of portions(met.missing()))
      await this.#planTogether(keys.map((key) => () => this.#planMissing(key)))
    if (this.#isPartial) await this.#context.sink.exclude(ref)
    // A refresh-only plan accepts the observed state, which may differ from the spec.
    if (request.mode !== 'RefreshOnly' && !this.#results.unsettled) await this.#finish()
    return this.#results.outcome
  }

  // If an evaluation fails because of a sensitive value, the object is blocked as a whole: which instances fail would disclose the value.
  #sensitiveFailure(): string | undefined {
    const { inputs, config } = this.#plan
    if (this.#expansion.kind === 'single' || !inputs.areSensitive) return undefined
    for (const key of this.#expansion.keys(this.#from)) {
      const scope = inputs.scope(key, this.#expansion.each(key))
      const problem = reportableProblem(config.evaluate(scope, new Meter(costLimitPerTemplates)).problems)
      if (problem?.sensitive) return problemText(problem)
    }
    return undefined
  }

  // Marks exist only if the object was marked when the plan began.
  async #finish(): Promise<void> {
    const { sink, isMarked } = this.#context
    const { object, size } = this.#plan
    const { ref } = object
    const batch = this.#settledBatch
    if (this.#inputPending) sink.keepMarks(ref)
    else {
      // Written before the marks are removed: if it fails, the next plan visits the object again.
      await sink.reportSettled(object, size)
      if (batch !== undefined || isMarked(refToText(ref))) await sink.finished(ref)
    }
    if (batch !== undefined) await sink.settledBatch(ref, batch)
  }

  // With an unchanged template, settled instances stay settled, so only added and removed indexes are visited.
  get #from(): number {
    const { request, isUnsettled } = this.#context
    const { object, batch, triggered } = this.#plan
    const settled = this.#known?.settled
    const isLookedAtAnyway =
      request.everything ||
      request.refresh === 'All' ||
      request.replacesSome ||
      triggered !== undefined ||
      isUnsettled(refToText(object.ref))
    if (settled === undefined || settled.template !== batch?.template || isLookedAtAnyway) return 0
    return Math.min(settled.count, this.#expansion.size)
  }

  get #settledBatch(): PlannedBatch | undefined {
    const { batch } = this.#plan
    const settled = this.#known?.settled
    return settled?.template === batch?.template && settled?.count === batch?.count ? undefined : batch
  }

  // Reads the states in pages.
  async *#states(): AsyncGenerator<readonly InstanceStates[]> {
    let after: { readonly key: InstanceKey } | undefined = this.#from === 0 ? undefined : { key: this.#from - 1 }
    for (;;) {
      const { instances, more } = await this.#context.ports.instances(this.#plan.object.ref, after, portion)
      if (instances.length > 0) yield instances
      if (!more) return
      after = { key: instances.at(-1)!.instance }
    }
  }

  async #planTogether(work: readonly (() => Promise<Settlement | undefined>)[]): Promise<void> {
    const settlements = (await Promise.all(work.map((each) => each()))).filter((each) => each !== undefined)
    if (settlements.length > 0) await this.#context.sink.settled(this.#plan.object.ref, settlements)
  }

  async #planMissing(instance: InstanceKey): Promise<Settlement | undefined> {
    if (this.#isChosen?.(instance) === false) return this.#exclude(instance, undefined)
    return this.#planManagedInstance(instance, undefined)
  }

  // Dependents see the stored state of an excluded instance.
  #exclude(instance: InstanceKey, states: InstanceStates | undefined): undefined {
    this.#isPartial = true
    this.#results.unsettled = true
    const seen = (states?.observed ?? states?.current)?.record
    if (seen === undefined || isGone(seen)) return
    this.#results.add(instance, { kind: 'same', output: () => outputOfRecord(this.#plan.object.kind.schema, seen) })
  }

  async #planExisting(instance: InstanceKey, states: InstanceStates): Promise<Settlement | undefined> {
    const { ref } = this.#plan.object
    if (this.#isChosen?.(instance) === false) return this.#exclude(instance, states)
    const isRefreshOnly = this.#context.request.mode === 'RefreshOnly'
    if (this.#expansion.has(instance)) {
      const settlement = await this.#planManagedInstance(instance, states)
      if (!isRefreshOnly && (await destroyDeposed(this.#context, this.#plan, states))) this.#results.unsettled = true
      return settlement
    }
    if (this.#open.has(instance) || isRefreshOnly) return undefined
    if (hasRealResource(ref, states))
      this.#results.remove(
        await destroyInstance(this.#context, this.#plan, states, removalReason(this.#repetition, states)),
      )
    else {
      await this.#context.sink.forgotten(ref, states)
      this.#results.drop()
    }
    return undefined
  }

  // Blocks the destruction of an instance with an open call.
  async #blockOpenCall(instance: InstanceKey, plan: string): Promise<void> {
    const { object } = this.#plan
    const message = this.#openCallText(instance, plan)
    const target = { ref: object.ref, instance, part: '' }
    await this.#context.sink.change(target, blockedRecord(object, addressOf(object, instance), 'blocked', message))
    this.#results.remove(message)
  }

  #openCallText(instance: InstanceKey, plan: string): string {
    const { object } = this.#plan
    return openCallText(JSON.stringify(plan), addressOf(object, instance), object.ref.namespace)
  }

  async #planManagedInstance(
    instance: InstanceKey,
    states: InstanceStates | undefined,
  ): Promise<Settlement | undefined> {
    const one = { instance, each: this.#expansion.each(instance), states }
    const result = await this.#planInstance(one)
    this.#results.add(instance, result)
    return result.kind === 'same' ? result.settlement : undefined
  }

  async #planInstance(one: InstanceToPlan): Promise<InstancePlan> {
    const other = this.#open.get(one.instance)
    if (other !== undefined) {
      const message = this.#openCallText(one.instance, other)
      return blockInstance(this.#context, this.#plan, one, 'blocked', message)
    }
    const planIt = this.#plan.object.kind.data ? planDataInstance : planManagedInstance
    try {
      return await planIt(this.#context, this.#plan, one)
    } catch (error) {
      // A provider failure blocks only the instance that the call was about.
      const { message, diagnostics } = failedCall(this.#context, error)
      return blockInstance(this.#context, this.#plan, one, 'blocked', message, diagnostics)
    }
  }
}

function removalReason(repetition: Repetition, { instance }: InstanceStates) {
  if (repetition === 'count' && typeof instance === 'number') return 'delete_because_count_index'
  if (repetition === 'for_each' && typeof instance === 'string') return 'delete_because_each_key'
  return 'delete_because_wrong_repetition'
}

// Instances per page: enough to fill batches of provider calls, and a bound for memory.
const portion = 256

// The values of larger batches are not kept in memory.
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

import type { AccessSession } from '../evaluation/index.ts'
import {
  currentConfiguration,
  type InstanceConfig,
  lifecycleOf,
  managedElsewhere,
  type ProviderAccess,
  resourceInstance,
  shownDiagnostics,
} from '../evaluation/index.ts'
import type { ChangeInProgress, IntentDraft } from '../model/index.ts'
import {
  addressOf,
  deposedKeyOf,
  type InstanceState,
  type InstanceStates,
  isGone,
  type KnownState,
  type ResourceObject,
  type WorkOrder,
} from '../model/index.ts'
import { type ApplyInput, finalPlan, judgeOutcome, type Outcome, readDataSource } from '../terraform/index.ts'
import { applyAccept } from './accept.ts'
import { callProvider } from './call-provider.ts'
import type { ApplyPorts } from './ports.ts'
import { approvedChange, intentCall, outcomeDraft, readState, stateFacts } from './records.ts'
import { changedObject, changedState, deletedObject, plannedAccess, plannedPrior } from './staleness.ts'
import { applied, fail, refuse, type StepOutcome } from './step-outcome.ts'

/** Creates or updates the resource of a change: checks the preconditions, plans again with known values, records the intent, calls the provider. */
export async function applyCreateOrUpdate(ports: ApplyPorts, change: ChangeInProgress): Promise<StepOutcome> {
  const work = change.record.work!
  if (work.accepts) return applyAccept(ports, change)
  const claim = await ports.use(work.refersTo)
  if (claim.kind === 'refused') return refuse(ports, change, claim.message)
  try {
    return await make(ports, change, work)
  } finally {
    claim.end()
  }
}

async function make(ports: ApplyPorts, change: ChangeInProgress, work: WorkOrder): Promise<StepOutcome> {
  const { target, record } = change
  const object = await ports.object(target.ref)
  const moved = changedObject(object, work)
  if (object === undefined || moved !== undefined) return refuse(ports, change, moved ?? '')
  if (object.deleting) return refuse(ports, change, deletedObject)
  const access = await plannedAccess(ports, object, work)
  if ('problem' in access) return refuse(ports, change, access.problem)
  const config = await currentConfiguration(ports, object, target.instance, access, work)
  if (config.kind === 'refused') return refuse(ports, change, config.message)
  const states = await ports.state(target.ref, target.instance)
  const known = plannedPrior(states, record)
  if (known === 'changed') return refuse(ports, change, changedState)
  if (record.importing !== undefined && known !== undefined) {
    const { configuration } = work
    if (await ports.isManagedElsewhere(target.ref, object.kind, configuration, known.record, 'take'))
      return refuse(ports, change, managedElsewhere)
  }
  return access.use((session) =>
    new CreateOrUpdate(ports, change, { object, access, config, states, known, session }).run(),
  )
}

interface StepFacts {
  readonly object: ResourceObject
  readonly access: ProviderAccess
  readonly config: InstanceConfig & { readonly refersTo: readonly string[] }
  readonly states: InstanceStates | undefined
  readonly known: KnownState | undefined
  readonly session: AccessSession
}

class CreateOrUpdate {
  readonly #ports: ApplyPorts
  readonly #change: ChangeInProgress
  readonly #facts: StepFacts

  constructor(ports: ApplyPorts, change: ChangeInProgress, facts: StepFacts) {
    this.#ports = ports
    this.#change = change
    this.#facts = facts
  }

  async run(): Promise<StepOutcome> {
    const { object, access, config, known, session } = this.#facts
    const { record, target } = this.#change
    const described = resourceInstance(
      object.kind,
      access,
      addressOf({ ref: target.ref, kind: object.kind }, target.instance),
    )
    const instance = { ...described, secrets: [...access.secrets, ...config.secrets] }
    if (record.data) return this.#read({ ...instance, config: config.value, configSensitive: config.sensitive })
    const prior =
      known === undefined || isGone(known.record) ? undefined : await readState(instance, known, access, session)
    if (record.action === 'import') return this.#settle(prior, prior)
    const step = record.action === 'update' && prior !== undefined ? 'update' : 'create'
    const isUnmoved = record.work!.fingerprint === config.fingerprint
    const input: ApplyInput = {
      ...instance,
      approved: approvedChange(object.kind, record, prior),
      step,
      config: config.value,
      configSensitive: config.sensitive,
      lifecycle: lifecycleOf(object.spec),
      isValidated: isUnmoved,
      isPlanned: isUnmoved && record.action === step && session.plansDeterministically?.(object.kind.type) === true,
      ...(record.action === 'update' && prior !== undefined && { prior }),
    }
    return this.#call(input, prior)
  }

  async #call(input: ApplyInput, prior: InstanceState | undefined): Promise<StepOutcome> {
    const { object, access, config, session } = this.#facts
    const plan = await finalPlan(input, session.port)
    if (plan.kind === 'failed')
      return fail(this.#ports, this.#change, 'the provider rejected it', shownDiagnostics({ object }, config, plan))
    if (plan.kind === 'settled') return this.#settle(prior, plan.state)
    const facts = stateFacts(object, access, config)
    const begun = await this.#ports.ledger.begin({
      ...this.#draft(input.step === 'update' ? 'update' : 'create'),
      call: intentCall(object.kind, plan, input.approved, facts, session),
    })
    if (begun.kind === 'refused') return refuse(this.#ports, this.#change, begun.message)
    return callProvider(
      this.#ports,
      begun,
      plan,
      session.port,
      (answer) => judgeOutcome(input, plan, answer),
      (outcome) => this.#outcome(prior, outcome),
    )
  }

  // Stores a state without an apply call: for imports, for data sources, and when the final plan changes nothing.
  async #settle(prior: InstanceState | undefined, state: InstanceState | undefined): Promise<StepOutcome> {
    const begun = await this.#ports.ledger.begin(this.#draft('update'))
    if (begun.kind === 'refused') return refuse(this.#ports, this.#change, begun.message)
    const outcome: Outcome = {
      kind: 'applied',
      unclear: false,
      diagnostics: [],
      notes: [],
      ...(state !== undefined && { state }),
    }
    const draft = this.#outcome(prior, outcome)
    await this.#ports.ledger.end(begun, draft)
    return applied(draft)
  }

  async #read(input: Omit<Parameters<typeof readDataSource>[0], 'dependencyPending'>): Promise<StepOutcome> {
    const { object, config, session } = this.#facts
    const read = await readDataSource({ ...input, dependencyPending: false }, session.port)
    if (read.kind === 'failed')
      return fail(this.#ports, this.#change, 'the provider rejected it', shownDiagnostics({ object }, config, read))
    if (read.kind === 'deferred') return fail(this.#ports, this.#change, `the provider deferred it: ${read.reason}`)
    return this.#settle(undefined, {
      value: read.value,
      private: new Uint8Array(0),
      schemaVersion: object.kind.schema.version,
      status: 'ready',
      sensitivePaths: read.sensitive,
    })
  }

  #draft(step: IntentDraft['step']): IntentDraft {
    const { object, states } = this.#facts
    const depose = states?.current === undefined ? undefined : deposedKeyOf(this.#change.record)
    return { change: this.#change, step, object, states, ...(depose !== undefined && { depose }) }
  }

  #outcome(prior: InstanceState | undefined, outcome: Outcome) {
    const { object, access, config } = this.#facts
    return outcomeDraft(object, config, prior, outcome, stateFacts(object, access, config), this.#ports.now())
  }
}

import type { AccessSession } from '../plan/index.ts'
import {
  type ApplyInput,
  finalPlan,
  type InstanceConfig,
  type InstanceState,
  type InstanceStates,
  isGone,
  judgeOutcome,
  type KnownState,
  lifecycleOf,
  managedElsewhere,
  type NodeFacts,
  type Outcome,
  type ProviderAccess,
  readDataSource,
  shownDiagnostics,
} from '../plan/index.ts'
import { applyAccept } from './accept.ts'
import { callProvider } from './call-provider.ts'
import { configurationNow } from './inputs-now.ts'
import type { ApplyPorts, ChangeInHand, IntentDraft } from './ports.ts'
import { approvedChange, describedInstance, intentCall, outcomeDraft, readState, stateFacts } from './records.ts'
import { movedObject, movedState, plannedAccess, plannedPrior } from './staleness.ts'
import { fail, refuse, type StepOutcome } from './step-outcome.ts'

/** Makes or updates what a change is about: checks that nothing moved, plans once more, writes it down, asks the provider. */
export async function applyMake(ports: ApplyPorts, change: ChangeInHand): Promise<StepOutcome> {
  const { place, record } = change
  const work = record.work!
  if (work.accepts) return applyAccept(ports, change)
  const node = await ports.node(place.node)
  const moved = movedObject(node, work)
  if (node === undefined || moved !== undefined) return refuse(ports, change, moved ?? '')
  if (node.deleting) return refuse(ports, change, 'the object was deleted since the plan was made: make a new plan')
  const access = await plannedAccess(ports, node, work)
  if ('problem' in access) return refuse(ports, change, access.problem)
  const config = await configurationNow(ports, node, place.instance, access, work)
  if (config.kind === 'refused') return refuse(ports, change, config.message)
  const states = await ports.state(place.node, place.instance)
  const known = plannedPrior(states, record)
  if (known === 'moved') return refuse(ports, change, movedState)
  if (record.importing !== undefined && known !== undefined) {
    const { configuration } = work
    if (await ports.isManagedElsewhere(place.node, node.kind, configuration, known.record, 'take'))
      return refuse(ports, change, managedElsewhere)
  }
  return access.use((session) => new Making(ports, change, { node, access, config, states, known, session }).run())
}

interface MakingFacts {
  readonly node: NodeFacts
  readonly access: ProviderAccess
  readonly config: InstanceConfig & { readonly refersTo: readonly string[] }
  readonly states: InstanceStates | undefined
  readonly known: KnownState | undefined
  readonly session: AccessSession
}

class Making {
  readonly #ports: ApplyPorts
  readonly #change: ChangeInHand
  readonly #facts: MakingFacts

  constructor(ports: ApplyPorts, change: ChangeInHand, facts: MakingFacts) {
    this.#ports = ports
    this.#change = change
    this.#facts = facts
  }

  async run(): Promise<StepOutcome> {
    const { node, access, config, known, session } = this.#facts
    const { record, place } = this.#change
    const described = describedInstance(place.node, node.kind, place.instance, access)
    const instance = { ...described, secrets: [...access.secrets, ...config.secrets] }
    if (record.data) return this.#read({ ...instance, config: config.value, configSensitive: config.sensitive })
    const prior =
      known === undefined || isGone(known.record) ? undefined : await readState(instance, known, access, session)
    if (record.action === 'import') return this.#settle(prior, prior)
    const step = record.action === 'update' && prior !== undefined ? 'update' : 'create'
    const isUnmoved = record.work!.fingerprint === config.fingerprint
    const input: ApplyInput = {
      ...instance,
      approved: approvedChange(node.kind, record, prior),
      step,
      config: config.value,
      configSensitive: config.sensitive,
      lifecycle: lifecycleOf(node.spec),
      isValidated: isUnmoved,
      isPlanned: isUnmoved && record.action === step && session.plansSteadily?.(node.kind.type) === true,
      ...(record.action === 'update' && prior !== undefined && { prior }),
    }
    return this.#carryOut(input, prior)
  }

  async #carryOut(input: ApplyInput, prior: InstanceState | undefined): Promise<StepOutcome> {
    const { node, access, config, session } = this.#facts
    const plan = await finalPlan(input, session.port)
    if (plan.kind === 'failed')
      return fail(this.#ports, this.#change, 'the provider refused', shownDiagnostics({ node }, config, plan))
    if (plan.kind === 'settled') return this.#settle(prior, plan.state)
    const facts = stateFacts(node, access, config)
    const begun = await this.#ports.ledger.begin({
      ...this.#draft(input.step === 'update' ? 'update' : 'create'),
      call: intentCall(node.kind, plan, input.approved, facts, session),
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

  // The provider need not be asked: what is there is taken as it is.
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
    await this.#ports.ledger.end(begun, this.#outcome(prior, outcome))
    return { kind: 'applied' }
  }

  async #read(input: Omit<Parameters<typeof readDataSource>[0], 'dependencyPending'>): Promise<StepOutcome> {
    const { node, config, session } = this.#facts
    const read = await readDataSource({ ...input, dependencyPending: false }, session.port)
    if (read.kind === 'failed')
      return fail(this.#ports, this.#change, 'the provider refused', shownDiagnostics({ node }, config, read))
    if (read.kind === 'deferred') return fail(this.#ports, this.#change, `the provider puts it off: ${read.reason}`)
    return this.#settle(undefined, {
      value: read.value,
      private: new Uint8Array(0),
      schemaVersion: node.kind.schema.version,
      status: 'ready',
      sensitivePaths: read.sensitive,
    })
  }

  #draft(step: IntentDraft['step']): IntentDraft {
    const { node, states } = this.#facts
    const { action, order } = this.#change.record
    const deposes = action === 'replace' && order === 'create-first' && states?.current !== undefined
    return { change: this.#change, step, node, states, ...(deposes && { depose: deposedKey(node.uid) }) }
  }

  #outcome(prior: InstanceState | undefined, outcome: Outcome) {
    const { node, access, config } = this.#facts
    return outcomeDraft(node, config, prior, outcome, stateFacts(node, access, config), this.#ports.now())
  }
}

// One at a time is left behind by a plan: what is there of earlier ones goes with the same plan.
function deposedKey(uid: string): string {
  return uid.slice(0, 8)
}

import { Buffer } from 'node:buffer'
import { identityType, impliedType, type Value, valueFromJson, valueFromMsgpack } from '@hykube/tfplugin/value'
import {
  type AccessSession,
  type ApplyInput,
  assertObjectCompatible,
  carryOut,
  type FinalCall,
  type InstanceState,
  judgeOutcome,
  type NodeKind,
  type Outcome,
  type ProviderAccess,
  pathFromJson,
  type ResourceInstance,
  refreshState,
  type StateFacts,
  withEchoes,
} from '../plan/index.ts'
import { candidatesOf, candidatesText } from './candidates.ts'
import { configurationToRepeat } from './configuration-to-repeat.ts'
import { findObject } from './find-object.ts'
import { knownIdentity } from './known-identity.ts'
import type { ApplyPorts, BegunIntent, IntentDraft, SentRequest } from './ports.ts'
import { approvedChange, describedInstance, outcomeDraft, recordBefore } from './records.ts'
import type { StepOutcome } from './step-outcome.ts'

/** A call that was begun, and of which nobody knows what came. */
export interface OpenCall {
  readonly draft: IntentDraft
  readonly kind: NodeKind
  readonly repeatable: boolean
  readonly request: SentRequest
  readonly facts: StateFacts
  /** Whether an object outside that can be adopted by this id belongs to something here. */
  readonly isManaged: (id: string) => Promise<boolean>
}

/**
 * Finds out what came of a call whose answer was lost. Its process must be dead, or done with it. A call that may be repeated is. What
 * was updated or destroyed is read, because it is known which object that was. What was created is looked for by its identity, if that
 * was known before; otherwise it stays open, with what it could be: only a person can tell.
 */
export async function recoverCall(ports: ApplyPorts, open: OpenCall): Promise<StepOutcome> {
  const { place } = open.draft.change
  const access = await ports.provider(place.node, open.kind, open.facts.configuration)
  if ('problem' in access) return { kind: 'unknown', message: access.problem }
  const instance = describedInstance(place.node, open.kind, place.instance, access)
  return access.use(async (session) => {
    const found = await new Recovery(ports, open, instance, access, session).decide()
    if (found.kind === 'unknown') return found
    const node = { place: place.node, kind: open.kind }
    const draft = outcomeDraft(node, undefined, priorOf(open), found, open.facts, ports.now())
    await ports.ledger.end({ kind: 'begun', draft: open.draft }, draft)
    return found.kind === 'applied'
      ? { kind: 'applied' }
      : { kind: 'failed', message: draft.outcome.message ?? 'the provider failed' }
  })
}

type Unknown = Extract<StepOutcome, { kind: 'unknown' }>

class Recovery {
  readonly #ports: ApplyPorts
  readonly #open: OpenCall
  readonly #instance: ResourceInstance
  readonly #access: ProviderAccess
  readonly #session: AccessSession

  constructor(
    ports: ApplyPorts,
    open: OpenCall,
    instance: ResourceInstance,
    access: ProviderAccess,
    session: AccessSession,
  ) {
    this.#ports = ports
    this.#open = open
    this.#instance = instance
    this.#access = access
    this.#session = session
  }

  async decide(): Promise<Outcome | Unknown> {
    if (this.#open.repeatable) return (await this.#repeat()) ?? unknown(noConfiguration)
    return this.#open.draft.step === 'create' ? this.#lookFor() : this.#look()
  }

  // The object that was updated or destroyed is as it is: what is left to do is for the next plan.
  async #look(): Promise<Outcome | Unknown> {
    const prior = priorOf(this.#open)
    if (prior === undefined) return unknown('it is not known which object it was')
    const read = await refreshState(this.#instance, prior, this.#session.port)
    if (read.kind !== 'refreshed') return unknown('the provider could not read the object')
    const { step } = this.#open.draft
    if (read.state === undefined)
      return step === 'delete' ? { kind: 'applied', ...nothing } : interrupted('the object is gone')
    if (step === 'delete') return { ...interrupted('the object is still there'), state: read.state }
    if (this.#isAsPlanned(read.state.value)) return { kind: 'applied', ...nothing, state: this.#settled(read.state) }
    return { ...interrupted('what is there now was read'), state: read.state }
  }

  async #lookFor(): Promise<Outcome | Unknown> {
    const target = knownIdentity(this.#open.kind, this.#planned, this.#plannedIdentity)
    if (target === undefined) return this.#ask()
    const found = await findObject(this.#instance, target, this.#session.port)
    if (found.kind === 'unclear') return unknown(`the provider could not look for it: ${found.message}`)
    // Nobody else has its identity, so that making it now makes no second one.
    if (found.kind === 'absent') return (await this.#repeat()) ?? interrupted('nothing was made')
    if (this.#isAsPlanned(found.state.value)) return { kind: 'applied', ...nothing, state: this.#settled(found.state) }
    return unknown('there is an object of its identity, and it is not as planned: half made, or somebody else made it')
  }

  async #ask(): Promise<Unknown> {
    const { kind, isManaged } = this.#open
    const candidates = await candidatesOf(kind, this.#planned, this.#session, isManaged)
    return unknown(`nobody knows whether the object exists: ${candidatesText(candidates)}`)
  }

  // Everything is sent as it was sent. The process is noted first: it, too, may outlive this server.
  async #repeat(): Promise<Outcome | undefined> {
    const { draft, kind, request } = this.#open
    const { place, record } = draft.change
    const isDelete = draft.step === 'delete'
    const config = isDelete
      ? null
      : await configurationToRepeat(this.#ports, this.#access, {
          node: draft.node,
          kind,
          instance: place.instance,
          work: record.work!,
          planned: this.#planned,
        })
    if (config === undefined) return undefined
    const prior = priorOf(this.#open)
    const sensitive = isDelete ? [] : this.#sensitive
    const plan: FinalCall = {
      kind: 'call',
      step: draft.step,
      request: {
        typeName: kind.type,
        priorState: prior?.value ?? null,
        plannedState: this.#planned,
        config,
        plannedPrivate: request.plannedPrivate,
        ...(this.#plannedIdentity !== undefined && { plannedIdentity: this.#plannedIdentity }),
      },
      afterSensitive: sensitive,
      diagnostics: [],
      notes: [],
    }
    const input: ApplyInput = {
      ...this.#instance,
      approved: approvedChange(kind, record, prior),
      step: draft.step,
      config,
      configSensitive: sensitive,
      lifecycle: { ignoreChanges: [] },
      ...(prior !== undefined && { prior }),
    }
    const begun: BegunIntent = { kind: 'begun', draft }
    await this.#ports.ledger.again(begun, this.#session.process)
    return judgeOutcome(input, plan, await carryOut(plan, this.#session.port))
  }

  get #planned(): Value {
    return valueFromMsgpack(this.#open.request.planned, impliedType(this.#open.kind.schema.block))
  }

  get #plannedIdentity(): Value | undefined {
    const { kind } = this.#open
    const { plannedIdentity } = this.#open.request
    if (plannedIdentity === undefined || kind.identity === undefined) return undefined
    return valueFromMsgpack(plannedIdentity, identityType(kind.identity))
  }

  get #sensitive() {
    return this.#open.draft.change.record.work!.afterSensitive.map(pathFromJson)
  }

  #isAsPlanned(value: Value): boolean {
    return assertObjectCompatible(this.#open.kind.schema, this.#planned, value, []).length === 0
  }

  #settled(state: InstanceState): InstanceState {
    const [sensitive, given] = [this.#sensitive, [[this.#planned, this.#sensitive]] as const]
    const sensitivePaths = withEchoes(this.#instance, { value: state.value, sensitive, given, shown: this.#planned })
    return { ...state, status: 'ready', sensitivePaths }
  }
}

const noConfiguration =
  'the call can not be repeated, because what it was made of has changed and holds values that are only written'

const nothing = { unclear: false, notes: [], diagnostics: [] } as const

function unknown(message: string): Unknown {
  return { kind: 'unknown', message }
}

function interrupted(what: string): Outcome {
  const diagnostics = [{ severity: 'error', summary: `it was interrupted, and ${what}: plan again` }] as const
  return { kind: 'failed', unclear: false, notes: [], diagnostics }
}

function priorOf({ request, kind, draft }: OpenCall): InstanceState | undefined {
  const value = valueFromMsgpack(request.prior, impliedType(kind.schema.block))
  if (value === null) return undefined
  const known = recordBefore(draft)
  return {
    value,
    private: known?.private === undefined ? new Uint8Array(0) : Buffer.from(known.private, 'base64'),
    schemaVersion: kind.schema.version,
    status: known?.status ?? 'ready',
    sensitivePaths: (known?.sensitive ?? []).map(pathFromJson),
    ...(known?.identity !== undefined &&
      kind.identity !== undefined && {
        identity: valueFromJson(known.identity.json, identityType(kind.identity)),
        identitySchemaVersion: known.identity.version,
      }),
  }
}

import { Buffer } from 'node:buffer'
import { identityType, impliedType } from '@hykube/tfplugin/schema'
import { type Value, valueFromJson, valueFromMsgpack } from '@hykube/tfplugin/value'
import type { AccessSession, ProviderAccess } from '../evaluation/index.ts'
import { resourceInstance } from '../evaluation/index.ts'
import type { BegunIntent, IntentDraft, SentRequest } from '../model/index.ts'
import { addressOf, type InstanceState, pathFromJson, type ResourceKind, type StateFacts } from '../model/index.ts'
import {
  type ApplyInput,
  assertObjectCompatible,
  type FinalCall,
  judgeOutcome,
  type Outcome,
  type ResourceInstance,
  refreshState,
  sendApply,
  withRepeatedSecrets,
} from '../terraform/index.ts'
import { candidatesOf, candidatesText } from './candidates.ts'
import { configurationToRepeat } from './configuration-to-repeat.ts'
import { findObject } from './find-object.ts'
import { knownIdentity } from './known-identity.ts'
import type { ApplyPorts } from './ports.ts'
import { approvedChange, outcomeDraft, recordBefore } from './records.ts'
import type { StepOutcome } from './step-outcome.ts'

/** A call with an unknown outcome. */
export interface OpenCall {
  readonly draft: IntentDraft
  readonly kind: ResourceKind
  readonly repeatable: boolean
  readonly request: SentRequest
  readonly facts: StateFacts
  /** True when an object already manages the resource with this id. */
  readonly isManaged: (id: string) => Promise<boolean>
}

/**
 * Decides the outcome of a call whose answer was lost. The process must have ended or finished the call. A repeatable call is repeated. After
 * an update or a destruction the resource is read. After a creation it is searched by its identity if that was known before; otherwise the
 * call stays open with a list of candidates, and a user decides with `hykube resolve`.
 */
export async function recoverCall(ports: ApplyPorts, open: OpenCall): Promise<StepOutcome> {
  const { target } = open.draft.change
  const access = await ports.provider(target.ref, open.kind, open.facts.configuration)
  if ('problem' in access) return { kind: 'unknown', message: access.problem }
  const instance = resourceInstance(open.kind, access, addressOf({ ref: target.ref, kind: open.kind }, target.instance))
  return access.use(async (session) => {
    const found = await new Recovery(ports, open, instance, access, session).decide()
    if (found.kind === 'unknown') return found
    const object = { ref: target.ref, kind: open.kind }
    const draft = outcomeDraft(object, undefined, priorOf(open), found, open.facts, ports.now())
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
    return this.#open.draft.step === 'create' ? this.#searchCreated() : this.#readExisting()
  }

  // Reads the resource after an update or a destruction. The next plan does what remains.
  async #readExisting(): Promise<Outcome | Unknown> {
    const prior = priorOf(this.#open)
    if (prior === undefined) return unknown('the resource of the call is unknown')
    const read = await refreshState(this.#instance, prior, this.#session.port)
    if (read.kind !== 'refreshed') return unknown('the provider could not read the resource')
    const { step } = this.#open.draft
    if (read.state === undefined)
      return step === 'delete' ? { kind: 'applied', ...nothing } : interrupted('the resource no longer exists')
    if (step === 'delete') return { ...interrupted('the resource still exists'), state: read.state }
    if (this.#isAsPlanned(read.state.value)) return { kind: 'applied', ...nothing, state: this.#settled(read.state) }
    return { ...interrupted('its current state was read'), state: read.state }
  }

  async #searchCreated(): Promise<Outcome | Unknown> {
    const target = knownIdentity(this.#open.kind, this.#planned, this.#plannedIdentity)
    if (target === undefined) return this.#listCandidates()
    const found = await findObject(this.#instance, target, this.#session.port)
    if (found.kind === 'unclear') return unknown(`the provider could not search for it: ${found.message}`)
    // The identity is free, so a repeated call can't create a second resource.
    if (found.kind === 'absent') return (await this.#repeat()) ?? interrupted('nothing was created')
    if (this.#isAsPlanned(found.state.value)) return { kind: 'applied', ...nothing, state: this.#settled(found.state) }
    return unknown(
      'a resource with its identity exists and differs from the plan: its creation was incomplete, or it belongs to another owner',
    )
  }

  async #listCandidates(): Promise<Unknown> {
    const { kind, isManaged } = this.#open
    const candidates = await candidatesOf(kind, this.#planned, this.#session, isManaged)
    return unknown(`it is unknown whether the resource was created: ${candidatesText(candidates)}`)
  }

  // Sends the same request again. The new process is recorded first, because it may outlive this server.
  async #repeat(): Promise<Outcome | undefined> {
    const { draft, kind, request } = this.#open
    const { target, record } = draft.change
    const isDelete = draft.step === 'delete'
    const config = isDelete
      ? null
      : await configurationToRepeat(this.#ports, this.#access, {
          object: draft.object,
          kind,
          instance: target.instance,
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
    await this.#ports.ledger.retry(begun, this.#session.process)
    return judgeOutcome(input, plan, await sendApply(plan, this.#session.port))
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
    const sensitivePaths = withRepeatedSecrets(this.#instance, {
      value: state.value,
      sensitive,
      given,
      shown: this.#planned,
    })
    return { ...state, status: 'ready', sensitivePaths }
  }
}

const noConfiguration =
  'the call cannot be repeated: its inputs have changed, and its configuration has write-only values'

const nothing = { unclear: false, notes: [], diagnostics: [] } as const

function unknown(message: string): Unknown {
  return { kind: 'unknown', message }
}

function interrupted(what: string): Outcome {
  const diagnostics = [{ severity: 'error', summary: `the call was interrupted, and ${what}: plan again` }] as const
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

import type { CallOptions } from '@hykube/tfplugin/grpc'
import type { ReadDataSourceRequest, ReadDataSourceResponse } from '@hykube/tfplugin/protocol'
import { isWhollyKnown, type Path, type Value } from '@hykube/tfplugin/value'
import type { ActionReason } from './action.ts'
import { withEchoes } from './echo.ts'
import { type Confidential, type Failure, type Findings, FindingsOf } from './findings.ts'
import { clientCapabilitiesOf, type ProviderPort, type ResourceInstance } from './instance.ts'
import { judgeValidation } from './judge-plan.ts'
import { misfit } from './misfit.ts'
import { validationRequestFor } from './plan-request.ts'
import { noPrivate, type PlannedChange } from './planned-instance.ts'
import { plannedUnknownObject } from './proposed-new.ts'
import type { DeferredRead } from './refresh-state.ts'

/** A data source that is to be read. */
export interface DataInput extends ResourceInstance {
  readonly config: Value
  readonly configSensitive: readonly Path[]
  /** Something that it depends on outside of its configuration has a change in this plan. */
  readonly dependencyPending: boolean
}

/** Whether a data source is read while planning, or when the plan is applied and unknown until then. */
export type DataDecision = { readonly kind: 'read-now' } | PlannedChange

/** What a data source gave. */
export interface DataRead extends Findings {
  readonly kind: 'read'
  readonly value: Value
  /** What is sensitive in it because of where it came from. */
  readonly sensitive: readonly Path[]
}

/** Decides when a data source is read: at once, if all that it is asked is known and nothing before it changes. */
export function planDataSource(input: DataInput): DataDecision {
  const reason = waitReason(input)
  if (reason === undefined) return { kind: 'read-now' }
  return {
    kind: 'planned',
    action: 'read',
    before: null,
    after: plannedUnknownObject(input.schema, input.config),
    plannedPrivate: noPrivate,
    requiredReplace: [],
    reason,
    beforeSensitive: [],
    afterSensitive: input.configSensitive,
    diagnostics: [],
    notes: [],
  }
}

/** Validates the configuration of a data source and reads it. Rejects when the provider could not be asked. */
export async function readDataSource(
  input: DataInput,
  provider: ProviderPort,
  options?: CallOptions,
): Promise<DataRead | DeferredRead | Failure> {
  const { typeName, config } = validationRequestFor(input)
  const validity = judgeValidation(input, await provider.validateDataResourceConfig({ typeName, config }, options))
  if (validity.kind === 'failed') return validity
  try {
    const read = judgeDataRead(input, await provider.readDataSource(dataRequestFor(input), options))
    if (validity.diagnostics.length === 0) return read
    return { ...read, diagnostics: [...validity.diagnostics, ...read.diagnostics] }
  } catch (error) {
    return misfit(input, error, invalidObject)
  }
}

/** The question to a data source. */
export function dataRequestFor(input: DataInput): ReadDataSourceRequest {
  const { typeName, config, providerMeta } = input
  const clientCapabilities = clientCapabilitiesOf(input)
  return { typeName, config, clientCapabilities, ...(providerMeta !== undefined && { providerMeta }) }
}

/** What the answer means. */
export function judgeDataRead(
  input: DataInput,
  { diagnostics, state, deferred }: ReadDataSourceResponse,
): DataRead | DeferredRead | Failure {
  const findings = new FindingsOf(input, () => [
    [input.config, input.configSensitive],
    [state, input.configSensitive],
  ])
  findings.add(diagnostics)
  if (findings.hasErrors) return findings.failure()
  if (deferred !== undefined && input.deferralAllowed === true)
    return { kind: 'deferred', reason: deferred, ...findings.all }
  if (state === undefined || state === null) findings.bug('Provider produced null object', 'returned nothing')
  else if (!isWhollyKnown(state)) findings.bug(invalidObject, 'returned values that are not known')
  if (state === undefined || findings.hasErrors) return findings.failure()
  const { config, configSensitive } = input
  const given: Confidential = [[config, configSensitive]]
  const sensitive = withEchoes(input, { value: state, sensitive: configSensitive, given, shown: config })
  return { kind: 'read', value: state, sensitive, ...findings.all }
}

const invalidObject = 'Provider produced invalid object'

function waitReason({ config, dependencyPending }: DataInput): ActionReason | undefined {
  if (!isWhollyKnown(config)) return 'read_because_config_unknown'
  return dependencyPending ? 'read_because_dependency_pending' : undefined
}

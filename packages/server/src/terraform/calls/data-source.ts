import type { CallOptions } from '@hykube/tfplugin/grpc'
import type { ReadDataSourceRequest, ReadDataSourceResponse } from '@hykube/tfplugin/protocol'
import { isWhollyKnown, type Path, type Value } from '@hykube/tfplugin/value'
import type { ActionReason } from '../action.ts'
import { invalidAnswer } from '../invalid-answer.ts'
import { plannedUnknownObject } from '../proposed-new.ts'
import { withRepeatedSecrets } from '../secrets/repeated-secrets.ts'
import { type Confidential, type Failure, type Findings, FindingsOf } from './findings.ts'
import { clientCapabilitiesOf, type ProviderPort, type ResourceInstance } from './instance.ts'
import { judgeValidation } from './judge-plan.ts'
import { validationRequestFor } from './plan-request.ts'
import { noPrivate, type PlannedChange } from './planned-instance.ts'
import type { DeferredRead } from './refresh-state.ts'

/** The input of reading a data source. */
export interface DataInput extends ResourceInstance {
  readonly config: Value
  readonly configSensitive: readonly Path[]
  /** True when this plan changes a dependency that the configuration doesn't express, such as one in depends_on. */
  readonly dependencyPending: boolean
}

/** A data source is read while planning, or its read is planned and its value is unknown until then. */
export type DataDecision = { readonly kind: 'read-now' } | PlannedChange

/** The result of reading a data source. */
export interface DataRead extends Findings {
  readonly kind: 'read'
  readonly value: Value
  /** Paths that are sensitive because of the source of their value. */
  readonly sensitive: readonly Path[]
}

/** Decides when a data source is read: while planning if its configuration is known and no dependency changes, otherwise while applying. */
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
    return invalidAnswer(input, error, invalidObject)
  }
}

/** Builds the ReadDataSource request. */
export function dataRequestFor(input: DataInput): ReadDataSourceRequest {
  const { typeName, config, providerMeta } = input
  const clientCapabilities = clientCapabilitiesOf(input)
  return { typeName, config, clientCapabilities, ...(providerMeta !== undefined && { providerMeta }) }
}

/** Checks the provider's answer. */
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
  else if (!isWhollyKnown(state)) findings.bug(invalidObject, 'returned unknown values')
  if (state === undefined || findings.hasErrors) return findings.failure()
  const { config, configSensitive } = input
  const given: Confidential = [[config, configSensitive]]
  const sensitive = withRepeatedSecrets(input, { value: state, sensitive: configSensitive, given, shown: config })
  return { kind: 'read', value: state, sensitive, ...findings.all }
}

const invalidObject = 'Provider produced invalid object'

function waitReason({ config, dependencyPending }: DataInput): ActionReason | undefined {
  if (!isWhollyKnown(config)) return 'read_because_config_unknown'
  return dependencyPending ? 'read_because_dependency_pending' : undefined
}

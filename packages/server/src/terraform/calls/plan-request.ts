import type { PlanResourceChangeRequest, ValidateConfigRequest } from '@hykube/tfplugin/protocol'
import type { Path, Value } from '@hykube/tfplugin/value'
import type { InstanceState, Lifecycle } from '../../model/index.ts'
import { ignoreChanges } from '../ignore-changes.ts'
import { proposedNew } from '../proposed-new.ts'
import { clientCapabilitiesOf, type ResourceInstance } from './instance.ts'
import type { Importing } from './planned-instance.ts'

/** The input of planning one instance. */
export interface PlanInput extends ResourceInstance {
  /** The refreshed state in the current schema version; absent when the resource doesn't exist. */
  readonly prior?: InstanceState
  /** May have unknown values. */
  readonly config: Value
  /** Paths that are sensitive because of the source of their value. A path into a set stops at the set. */
  readonly configSensitive: readonly Path[]
  readonly lifecycle: Lifecycle
  /** Forces a replacement: requested in the plan, or by replace_triggered_by. */
  readonly forceReplace?: 'request' | 'triggers'
  /** Set when the resource is imported by this plan. */
  readonly importing?: Importing
}

/** Builds the ValidateResourceConfig request. */
export function validationRequestFor(input: ResourceInstance & { readonly config: Value }): ValidateConfigRequest {
  return { typeName: input.typeName, config: input.config, clientCapabilities: clientCapabilitiesOf(input) }
}

/** Builds the PlanResourceChange request. A tainted resource counts as absent, because it is replaced in any case. */
export function planRequestFor(input: PlanInput): PlanResourceChangeRequest {
  const prior = input.prior?.status === 'ready' ? input.prior : undefined
  const before = prior?.value ?? null
  const config = ignoreChanges(before, input.config, input.lifecycle.ignoreChanges, input.schema)
  return changeRequest(input, before, config, prior?.private, prior?.identity)
}

/** Builds the request that plans the new resource of a replacement: without a prior state, so ignore_changes doesn't apply. */
export function replacementRequestFor(input: PlanInput, plannedPrivate: Uint8Array): PlanResourceChangeRequest {
  return changeRequest(input, null, input.config, plannedPrivate, undefined)
}

function changeRequest(
  input: PlanInput,
  priorState: Value,
  config: Value,
  priorPrivate: Uint8Array | undefined,
  priorIdentity: Value | undefined,
): PlanResourceChangeRequest {
  return {
    typeName: input.typeName,
    priorState,
    config,
    proposedNewState: proposedNew(input.schema, priorState, config),
    clientCapabilities: clientCapabilitiesOf(input),
    ...(priorPrivate !== undefined && { priorPrivate }),
    ...(priorIdentity !== undefined && { priorIdentity }),
    ...(input.providerMeta !== undefined && { providerMeta: input.providerMeta }),
  }
}

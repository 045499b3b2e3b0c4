import type { PlanResourceChangeRequest, ValidateConfigRequest } from '@hykube/tfplugin/protocol'
import type { Path, Value } from '@hykube/tfplugin/value'
import { ignoreChanges } from './ignore-changes.ts'
import { clientCapabilitiesOf, type InstanceState, type Lifecycle, type ResourceInstance } from './instance.ts'
import type { Importing } from './planned-instance.ts'
import { proposedNew } from './proposed-new.ts'

/** What one instance is planned from. */
export interface PlanInput extends ResourceInstance {
  /** The state as it was last refreshed, of this schema version; absent when there is no object. */
  readonly prior?: InstanceState
  /** With unknowns for what is not known yet. */
  readonly config: Value
  /** What of the configuration is sensitive because of where it came from; into sets by the path of the set. */
  readonly configSensitive: readonly Path[]
  readonly lifecycle: Lifecycle
  /** Someone asked for a new object, or something that this one is to follow changes. */
  readonly forceReplace?: 'request' | 'triggers'
  /** The object was found outside just now. */
  readonly importing?: Importing
}

/** The question whether a configuration is valid, which comes before it is planned. */
export function validationRequestFor(input: ResourceInstance & { readonly config: Value }): ValidateConfigRequest {
  return { typeName: input.typeName, config: input.config, clientCapabilities: clientCapabilitiesOf(input) }
}

/** The question what becomes of an instance. A tainted object counts as none, since it is replaced in any case. */
export function planRequestFor(input: PlanInput): PlanResourceChangeRequest {
  const prior = input.prior?.status === 'ready' ? input.prior : undefined
  const before = prior?.value ?? null
  const config = ignoreChanges(before, input.config, input.lifecycle.ignoreChanges, input.schema)
  return changeRequest(input, before, config, prior?.private, prior?.identity)
}

/** The question what the new object of a replacement is: nothing was before it, and nothing is ignored. */
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

import type { CallOptions } from '@hykube/tfplugin/grpc'
import type { DeferredReason, ReadResourceRequest, ReadResourceResponse } from '@hykube/tfplugin/protocol'
import { isWhollyKnown, pathToText } from '@hykube/tfplugin/value'
import type { InstanceState } from '../../model/index.ts'
import { invalidAnswer } from '../invalid-answer.ts'
import { normaliseBlocks } from '../legacy-blocks.ts'
import { sameValues } from '../same-values.ts'
import { withRepeatedSecrets } from '../secrets/repeated-secrets.ts'
import { writeOnlyLeaks } from '../secrets/write-only.ts'
import { type Failure, type Findings, FindingsOf } from './findings.ts'
import { clientCapabilitiesOf, type ProviderPort, type ResourceInstance } from './instance.ts'

/** The result of a refresh. */
export type Refreshed = RefreshedState | DeferredRead | Failure

export interface RefreshedState extends Findings {
  readonly kind: 'refreshed'
  /** Absent when the resource no longer exists. */
  readonly state?: InstanceState
  /** How the real resource differs from the stored state. */
  readonly drift: 'none' | 'changed' | 'gone'
}

/** The provider can't read the resource yet. */
export interface DeferredRead extends Findings {
  readonly kind: 'deferred'
  readonly reason: DeferredReason
}

/** Reads a real resource. Rejects when the provider could not be called. */
export async function refreshState(
  instance: ResourceInstance,
  state: InstanceState,
  provider: ProviderPort,
  options?: CallOptions,
): Promise<Refreshed> {
  try {
    return judgeRead(instance, state, await provider.readResource(readRequestFor(instance, state), options))
  } catch (error) {
    return invalidAnswer(instance, error, invalidObject)
  }
}

/** Builds the ReadResource request. */
export function readRequestFor(instance: ResourceInstance, state: InstanceState): ReadResourceRequest {
  return {
    typeName: instance.typeName,
    currentState: state.value,
    private: state.private,
    clientCapabilities: clientCapabilitiesOf(instance),
    ...(state.identity !== undefined && { currentIdentity: state.identity }),
    ...(instance.providerMeta !== undefined && { providerMeta: instance.providerMeta }),
  }
}

/** Checks the provider's answer. A value that differs from the stored state is drift, not an error. */
export function judgeRead(instance: ResourceInstance, state: InstanceState, response: ReadResourceResponse): Refreshed {
  const findings = new FindingsOf(instance, () => [
    [state.value, state.sensitivePaths],
    [response.newState, state.sensitivePaths],
  ])
  findings.add(response.diagnostics)
  if (findings.hasErrors) return findings.failure()
  if (response.deferred !== undefined) return deferredRead(instance, response.deferred, findings)
  const { newState } = response
  if (newState === null) return { kind: 'refreshed', drift: 'gone', ...findings.all }
  if (newState === undefined) findings.bug(invalidObject, 'returned nothing when it read the object')
  else if (!isWhollyKnown(newState)) findings.bug(invalidObject, 'returned unknown values when it read the object')
  else {
    for (const path of writeOnlyLeaks(instance.schema, newState))
      findings.bug(invalidObject, `returned a value for the write-only attribute ${pathToText(path)}`, path)
  }
  if (newState === undefined || findings.hasErrors) return findings.failure()
  const value = normaliseBlocks(instance.schema, newState)
  if (value !== newState) findings.note('returned null instead of blocks when it read the object')
  const identity = response.newIdentity ?? state.identity
  const same = sameValues(state.value, value)
  const known = { value, sensitive: state.sensitivePaths, given: [[state.value, state.sensitivePaths]] } as const
  return {
    kind: 'refreshed',
    drift: same ? 'none' : 'changed',
    state: {
      ...state,
      value: same ? state.value : value,
      sensitivePaths: same ? state.sensitivePaths : withRepeatedSecrets(instance, { ...known, shown: state.value }),
      private: response.private,
      schemaVersion: instance.schema.version,
      ...(identity !== undefined && { identity }),
    },
    ...findings.all,
  }
}

const invalidObject = 'Provider produced invalid object'

function deferredRead(
  instance: ResourceInstance,
  reason: DeferredReason,
  findings: FindingsOf,
): DeferredRead | Failure {
  if (instance.deferralAllowed === true) return { kind: 'deferred', reason, ...findings.all }
  findings.bug('Provider deferred changes', 'deferred the read although the client does not support deferral')
  return findings.failure()
}

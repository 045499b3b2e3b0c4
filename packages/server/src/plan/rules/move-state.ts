import type { CallOptions } from '@hykube/tfplugin/grpc'
import type { MoveResourceStateRequest, MoveResourceStateResponse } from '@hykube/tfplugin/protocol'
import { pathToText } from '@hykube/tfplugin/value'
import { withEchoes } from './echo.ts'
import { type Failure, type Findings, FindingsOf } from './findings.ts'
import type { InstanceState, ProviderPort, ResourceInstance } from './instance.ts'
import { misfit } from './misfit.ts'
import type { StoredInstance } from './stored-instance.ts'
import { writeOnlyLeaks } from './write-only.ts'

/** Where a state comes from that is to become one of another type. */
export interface MoveSource extends StoredInstance {
  /** The provider's full address: `registry.terraform.io/hashicorp/aws`. */
  readonly providerAddress: string
  readonly typeName: string
}

/** A state that has become one of another type. What was sensitive by its origin is not carried over: the paths differ. */
export interface MovedState extends Findings {
  readonly kind: 'moved'
  readonly state: InstanceState
}

/** Has the target's provider turn a state of another type into one of this instance's. */
export async function moveState(
  instance: ResourceInstance,
  source: MoveSource,
  provider: ProviderPort,
  options?: CallOptions,
): Promise<MovedState | Failure> {
  try {
    return judgeMove(instance, source, await provider.moveResourceState(moveRequestFor(instance, source), options))
  } catch (error) {
    return misfit(instance, error, invalidMove)
  }
}

/** The question what a state of another type is as one of this instance's. */
export function moveRequestFor({ typeName }: ResourceInstance, source: MoveSource): MoveResourceStateRequest {
  return {
    sourceProviderAddress: source.providerAddress,
    sourceTypeName: source.typeName,
    sourceSchemaVersion: source.schemaVersion,
    sourceState: source.raw,
    sourcePrivate: source.private,
    targetTypeName: typeName,
    ...(source.rawIdentity !== undefined && {
      sourceIdentity: { kind: 'json', json: source.rawIdentity } as const,
      sourceIdentitySchemaVersion: source.identitySchemaVersion ?? 0,
    }),
  }
}

/** What the answer means. */
export function judgeMove(
  instance: ResourceInstance,
  { status }: MoveSource,
  response: MoveResourceStateResponse,
): MovedState | Failure {
  const findings = new FindingsOf(instance)
  findings.add(response.diagnostics)
  const { targetState: value, targetPrivate, targetIdentity } = response
  if (findings.hasErrors) return findings.failure()
  if (value === undefined || value === null) {
    findings.bug(invalidMove, 'returned nothing when it moved the state')
    return findings.failure()
  }
  for (const path of writeOnlyLeaks(instance.schema, value))
    findings.bug(invalidMove, `returned a value for the write-only attribute ${pathToText(path)}`, path)
  if (findings.hasErrors) return findings.failure()
  const { version: schemaVersion } = instance.schema
  const identity = targetIdentity === undefined ? {} : { identity: targetIdentity }
  const sensitivePaths = withEchoes(instance, { value, sensitive: [], given: [] })
  const state: InstanceState = { value, private: targetPrivate, schemaVersion, status, sensitivePaths, ...identity }
  return { kind: 'moved', state, ...findings.all }
}

const invalidMove = 'Invalid resource state transformation'

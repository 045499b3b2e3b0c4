import type { CallOptions } from '@hykube/tfplugin/grpc'
import type { RawState, UpgradeResourceStateRequest, UpgradeResourceStateResponse } from '@hykube/tfplugin/protocol'
import { impliedType } from '@hykube/tfplugin/schema'
import { pathToText, type Value, ValueError, valueFromJson } from '@hykube/tfplugin/value'
import type { InstanceState, StoredInstance } from '../../model/index.ts'
import { invalidAnswer } from '../invalid-answer.ts'
import { withoutRemovedAttributes } from '../removed-attributes.ts'
import { writeOnlyLeaks } from '../secrets/write-only.ts'
import { type Failure, type Findings, FindingsOf } from './findings.ts'
import type { ProviderPort, ResourceInstance } from './instance.ts'
import { upgradeIdentity } from './upgrade-identity.ts'

/** A stored state in the provider's current schema version. */
export interface UpgradedState extends Findings {
  readonly kind: 'upgraded'
  readonly state: InstanceState
}

export interface UpgradeOptions extends CallOptions {
  /** True when the same provider package wrote the state, which then needs no upgrade call. Default false. */
  readonly samePackage?: boolean
}

/**
 * Decodes a stored state. The provider upgrades it unless the same package wrote it with the same schema version. Rejects when the
 * provider could not be called.
 */
export async function upgradeState(
  instance: ResourceInstance,
  stored: StoredInstance,
  provider: ProviderPort,
  options: UpgradeOptions = {},
): Promise<UpgradedState | Failure> {
  const identity = await upgradeIdentity(instance, stored, provider, options)
  if (identity.kind === 'failed') return identity
  const known = options.samePackage === true ? readUnchanged(instance, stored) : undefined
  if (known !== undefined) return upgraded(instance, stored, known, identity.identity, new FindingsOf(instance))
  const request = upgradeRequestFor(instance, stored)
  if (request.kind === 'failed') return request
  try {
    const response = await provider.upgradeResourceState(request.request, options)
    return judgeUpgrade(instance, stored, response, identity.identity)
  } catch (error) {
    return invalidAnswer(instance, error, invalidUpgrade)
  }
}

/** Builds the UpgradeResourceState request; a failure when the state is newer than the provider. */
export function upgradeRequestFor(
  instance: ResourceInstance,
  { raw, schemaVersion }: StoredInstance,
): { readonly kind: 'ask'; readonly request: UpgradeResourceStateRequest } | Failure {
  const { address, provider, typeName, schema } = instance
  if (schemaVersion <= schema.version) {
    const rawState = schemaVersion === schema.version ? strippedState(instance, raw) : raw
    return { kind: 'ask', request: { typeName, version: schemaVersion, rawState } }
  }
  const findings = new FindingsOf(instance)
  findings.error(
    'Resource instance managed by newer provider version',
    `The state of ${address} has version ${schemaVersion}, but provider ${provider} supports versions up to ${schema.version}. Install a newer version of the provider.`,
  )
  return findings.failure()
}

/** Checks the provider's answer. */
export function judgeUpgrade(
  instance: ResourceInstance,
  stored: StoredInstance,
  response: UpgradeResourceStateResponse,
  identity: Value | undefined,
): UpgradedState | Failure {
  const findings = new FindingsOf(instance, () => [[response.upgradedState, stored.sensitivePaths]])
  findings.add(response.diagnostics)
  if (findings.hasErrors) return findings.failure()
  const { upgradedState: value } = response
  if (value === undefined || value === null) {
    findings.bug(invalidUpgrade, 'returned nothing when it upgraded the state')
    return findings.failure()
  }
  for (const path of writeOnlyLeaks(instance.schema, value))
    findings.bug(invalidUpgrade, `returned a value for the write-only attribute ${pathToText(path)}`, path)
  return findings.hasErrors ? findings.failure() : upgraded(instance, stored, value, identity, findings)
}

const invalidUpgrade = 'Invalid resource state upgrade'

function strippedState({ schema }: ResourceInstance, raw: RawState): RawState {
  if (raw.kind !== 'json') return raw
  return { kind: 'json', json: withoutRemovedAttributes(raw.json, impliedType(schema.block)) }
}

function readUnchanged({ schema }: ResourceInstance, { raw, read, schemaVersion }: StoredInstance): Value | undefined {
  if (raw.kind !== 'json' || schemaVersion !== schema.version) return undefined
  if (read !== undefined && read !== null) return read
  try {
    return valueFromJson(raw.json, impliedType(schema.block)) ?? undefined
  } catch (error) {
    // The value doesn't match the schema; the provider may still be able to read it.
    if (error instanceof ValueError) return undefined
    throw error
  }
}

function upgraded(
  { schema, identitySchema }: ResourceInstance,
  stored: StoredInstance,
  value: Value,
  identity: Value | undefined,
  findings: FindingsOf,
): UpgradedState {
  const state: InstanceState = {
    value,
    private: stored.private,
    schemaVersion: schema.version,
    status: stored.status,
    sensitivePaths: stored.sensitivePaths,
    ...(identity !== undefined && { identity }),
    ...(identity !== undefined && identitySchema !== undefined && { identitySchemaVersion: identitySchema.version }),
  }
  return { kind: 'upgraded', state, ...findings.all }
}

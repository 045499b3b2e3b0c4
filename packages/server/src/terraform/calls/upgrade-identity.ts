import type { CallOptions } from '@hykube/tfplugin/grpc'
import { identityType } from '@hykube/tfplugin/schema'
import { type Value, ValueError, valueFromJson } from '@hykube/tfplugin/value'
import type { StoredInstance } from '../../model/index.ts'
import { invalidAnswer } from '../invalid-answer.ts'
import { type Failure, FindingsOf } from './findings.ts'
import type { ProviderPort, ResourceInstance } from './instance.ts'

/** A stored identity in the provider's current schema version; absent when there is none. */
export interface UpgradedIdentity {
  readonly kind: 'identity'
  readonly identity?: Value
}

/** Decodes a stored identity. The provider is called only when it has an older version. */
export async function upgradeIdentity(
  instance: ResourceInstance,
  { rawIdentity, identitySchemaVersion = 0 }: StoredInstance,
  provider: ProviderPort,
  options?: CallOptions,
): Promise<UpgradedIdentity | Failure> {
  const { identitySchema } = instance
  if (rawIdentity === undefined || identitySchema === undefined) return { kind: 'identity' }
  if (identitySchemaVersion > identitySchema.version) return tooNew(instance, identitySchemaVersion)
  try {
    if (identitySchemaVersion === identitySchema.version)
      return { kind: 'identity', identity: valueFromJson(rawIdentity, identityType(identitySchema)) }
    return await askProvider(instance, rawIdentity, identitySchemaVersion, provider, options)
  } catch (error) {
    if (!(error instanceof ValueError)) return invalidAnswer(instance, error, invalidIdentity)
    const findings = new FindingsOf(instance)
    findings.error(invalidIdentity, `The stored identity of ${instance.address} can't be read: ${error.message}`)
    return findings.failure()
  }
}

const invalidIdentity = 'Invalid resource identity'

async function askProvider(
  instance: ResourceInstance,
  json: string,
  version: number,
  provider: ProviderPort,
  options?: CallOptions,
): Promise<UpgradedIdentity | Failure> {
  const request = { typeName: instance.typeName, version, rawIdentity: { kind: 'json', json } as const }
  const { diagnostics, upgradedIdentity } = await provider.upgradeResourceIdentity(request, options)
  const findings = new FindingsOf(instance)
  findings.add(diagnostics)
  if (findings.hasErrors) return findings.failure()
  return { kind: 'identity', ...(upgradedIdentity !== undefined && { identity: upgradedIdentity }) }
}

function tooNew(instance: ResourceInstance, version: number): Failure {
  const { address, provider, identitySchema } = instance
  const findings = new FindingsOf(instance)
  findings.error(
    'Resource identity managed by newer provider version',
    `The identity of ${address} has version ${version}, but provider ${provider} supports versions up to ${identitySchema?.version}. Install a newer version of the provider.`,
  )
  return findings.failure()
}

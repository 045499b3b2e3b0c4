import type { CallOptions } from '@hykube/tfplugin/grpc'
import { identityType, type Value, ValueError, valueFromJson } from '@hykube/tfplugin/value'
import { type Failure, FindingsOf } from './findings.ts'
import type { ProviderPort, ResourceInstance } from './instance.ts'
import { misfit } from './misfit.ts'
import type { StoredInstance } from './stored-instance.ts'

/** A stored identity as the provider's present schema has it; absent when there is none, or none any more. */
export interface UpgradedIdentity {
  readonly kind: 'identity'
  readonly identity?: Value
}

/** Reads a stored identity; the provider is asked only when it is of an older version. */
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
    if (!(error instanceof ValueError)) return misfit(instance, error, invalidIdentity)
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
    `The identity of ${address} has version ${version}, and provider ${provider} knows versions up to ${identitySchema?.version}. Take a newer version of the provider.`,
  )
  return findings.failure()
}

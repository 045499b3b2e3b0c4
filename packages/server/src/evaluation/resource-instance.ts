import type { ResourceKind } from '../model/index.ts'
import type { ResourceInstance } from '../terraform/index.ts'
import type { ProviderAccess } from './ports.ts'

/** Describes an instance for calls to the provider. */
export function resourceInstance(
  { provider, type: typeName, schema, identity }: ResourceKind,
  { capabilities, secrets }: Pick<ProviderAccess, 'capabilities' | 'secrets'>,
  address: string,
): ResourceInstance {
  return {
    address,
    provider,
    typeName,
    schema,
    capabilities,
    secrets,
    ...(identity !== undefined && { identitySchema: identity }),
  }
}

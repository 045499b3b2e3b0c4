import type { Path, Schema, Value } from '@hykube/tfplugin/value'
import type { ProviderAccess } from './ports.ts'
import { sensitiveStrings } from './rules/scrub.ts'

/** Before a provider is given a value: whatever in it is sensitive must not come back in what the provider says. */
export function hideSecrets(
  { hide }: Pick<ProviderAccess, 'hide'>,
  schema: Schema,
  value: Value,
  sensitive: readonly Path[],
): void {
  const secrets = sensitiveStrings(schema, value, sensitive)
  if (secrets.length > 0) hide(secrets)
}

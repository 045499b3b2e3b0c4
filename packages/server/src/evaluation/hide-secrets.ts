import type { Schema } from '@hykube/tfplugin/schema'
import type { Path, Value } from '@hykube/tfplugin/value'
import { sensitiveStrings } from '../terraform/index.ts'
import type { InstanceConfig } from './instance-config.ts'
import type { ProviderAccess } from './ports.ts'

/** Registers the sensitive strings of a value for redaction from the provider's logs and messages. Call it before the provider gets the value. */
export function hideSecrets(
  { hide }: Pick<ProviderAccess, 'hide'>,
  schema: Schema,
  value: Value,
  sensitive: readonly Path[],
): void {
  const secrets = sensitiveStrings(schema, value, sensitive)
  if (secrets.length > 0) hide(secrets)
}

/** Does the same for a configuration. Returns every string that must not appear unmarked in the provider's answers. */
export function hideConfigured(
  { hide, secrets: own }: Pick<ProviderAccess, 'hide' | 'secrets'>,
  schema: Schema,
  { value, sensitive, secrets }: Pick<InstanceConfig, 'value' | 'sensitive' | 'secrets'>,
): readonly string[] {
  const strings = [...secrets, ...sensitiveStrings(schema, value, sensitive)]
  if (strings.length > 0) hide(strings)
  return [...own, ...strings]
}

import type { Path, Schema, Value } from '@hykube/tfplugin/value'
import type { InstanceConfig } from './node-plan.ts'
import type { ProviderAccess } from './ports.ts'
import { sensitiveStrings } from './rules/scrub.ts'

/** Before a provider is given a value: has the sensitive texts in it hidden in what the provider says. */
export function hideSecrets(
  { hide }: Pick<ProviderAccess, 'hide'>,
  schema: Schema,
  value: Value,
  sensitive: readonly Path[],
): void {
  const secrets = sensitiveStrings(schema, value, sensitive)
  if (secrets.length > 0) hide(secrets)
}

/** The same of a configuration. Returns every text that the provider must not return openly. */
export function hideConfigured(
  { hide, secrets: own }: Pick<ProviderAccess, 'hide' | 'secrets'>,
  schema: Schema,
  { value, sensitive, secrets }: Pick<InstanceConfig, 'value' | 'sensitive' | 'secrets'>,
): readonly string[] {
  const texts = [...secrets, ...sensitiveStrings(schema, value, sensitive)]
  if (texts.length > 0) hide(texts)
  return [...own, ...texts]
}

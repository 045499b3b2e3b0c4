import type { Value } from '@hykube/tfplugin/value'
import { canonicalText } from './canonical-text.ts'
import type { ProviderAccess } from './ports.ts'
import type { Lifecycle } from './rules/instance.ts'

/**
 * What an instance is settled with: everything that a provider's answer or our record of it follows from, apart from the
 * object's state itself. The same fingerprint again needs no planning.
 */
export function fingerprintOf(
  config: Value,
  { preventDestroy, createBeforeDestroy, destroy, ignoreChanges }: Lifecycle,
  refersTo: readonly string[],
  { package: hash, epoch, configuration }: ProviderAccess,
  hashText: (text: string) => string,
): string {
  const wishes = JSON.stringify([preventDestroy, createBeforeDestroy, destroy, ignoreChanges])
  return hashText([canonicalText(config), wishes, refersTo.join(), hash, epoch, configuration].join('\n'))
}

import type { Value } from '@hykube/tfplugin/value'
import type { Lifecycle } from '../model/index.ts'
import { canonicalText } from '../terraform/index.ts'
import type { ProviderAccess } from './ports.ts'

/**
 * Hashes every input of an instance's plan except its state: configuration, lifecycle, references, provider package and provider
 * configuration. While the fingerprint of a settled instance stays the same, planning it again would find no change.
 */
export function fingerprintOf(
  config: Value,
  { preventDestroy, createBeforeDestroy, destroy, ignoreChanges }: Lifecycle,
  refersTo: readonly string[],
  { package: hash, epoch, configuration }: ProviderAccess,
  hashText: (text: string) => string,
): string {
  const lifecycle = JSON.stringify([preventDestroy, createBeforeDestroy, destroy, ignoreChanges])
  return hashText([canonicalText(config), lifecycle, refersTo.join(), hash, epoch, configuration].join('\n'))
}

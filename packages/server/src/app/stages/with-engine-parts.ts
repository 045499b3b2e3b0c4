import { openQuotas } from '../../admission/index.ts'
import { keyedHash } from '../../estate/index.ts'
import { ProviderUse } from '../../provider-kinds/index.ts'
import { TypeRegistry } from '../../resource/index.ts'
import { createAccess } from '../access.ts'
import { startEngineParts } from '../engine-parts.ts'
import type { WithStore } from './with-store.ts'

export type WithEngineParts = Awaited<ReturnType<typeof withEngineParts>>

/** Starts authorization and the providers' parts: afterwards requests can be authorized and provider processes started. */
export async function withEngineParts(before: WithStore) {
  const { options, objects, hub, store, pki, stopping } = before
  const access = await createAccess(options, pki, objects, hub)
  const types = new TypeRegistry()
  const use = new ProviderUse(objects, access.authorizer)
  const hash = await keyedHash(store)
  const parts = await startEngineParts({ ...before, hash, types, use }, stopping)
  const quotas = await openQuotas(objects, hub, types)
  return { ...before, access, types, use, parts, quotas }
}

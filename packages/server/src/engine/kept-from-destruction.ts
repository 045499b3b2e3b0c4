import { isJsonObject, type JsonObject } from '@hykube/machinery/json'
import type { InstanceStates } from '../plan/index.ts'

/** Whether something that exists outside must not be destroyed: it was applied so, or is wanted so now. */
export function isKeptFromDestruction(outside: readonly InstanceStates[], spec: JsonObject | undefined): boolean {
  const lifecycle = spec?.lifecycle
  return (
    outside.some(({ current }) => current?.record.preventDestroy === true) ||
    (outside.length > 0 && isJsonObject(lifecycle) && lifecycle.prevent_destroy === true)
  )
}

import { isJsonObject, type JsonObject } from '@hykube/machinery/json'
import type { InstanceStates } from '../model/index.ts'

/** True when prevent_destroy protects a real resource: it was applied with it, or the spec has it now. */
export function isKeptFromDestruction(states: readonly InstanceStates[], spec: JsonObject | undefined): boolean {
  const lifecycle = spec?.lifecycle
  return (
    states.some(({ current }) => current?.record.preventDestroy === true) ||
    (states.length > 0 && isJsonObject(lifecycle) && lifecycle.prevent_destroy === true)
  )
}

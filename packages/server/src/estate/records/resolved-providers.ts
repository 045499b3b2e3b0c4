import { isJsonObject, type JsonValue } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResolvedProviders } from '../../model/index.ts'

/** The annotation with the Providers that bare references were resolved to when they were written, as JSON. Only the server sets it. */
export const resolvedProvidersAnnotation = 'hykube.io/resolved-providers'

/** Returns the Providers of an object's bare references. */
export function resolvedProvidersOf(object: KubernetesObject | undefined): ResolvedProviders {
  const text = object?.metadata?.annotations?.[resolvedProvidersAnnotation]
  if (text === undefined) return none
  try {
    const value = JSON.parse(text) as JsonValue
    return isJsonObject(value) ? new Map(Object.entries(value).map(([key, name]) => [key, String(name)])) : none
  } catch {
    return none
  }
}

const none: ResolvedProviders = new Map()

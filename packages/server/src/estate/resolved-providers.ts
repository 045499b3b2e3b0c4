import { isJsonObject, type JsonValue } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResolvedProviders } from '../plan/index.ts'

/** Holds, as JSON, which Provider each bare reference to a type of another Provider meant when it was written. Only the server sets it. */
export const resolvedProvidersAnnotation = 'hykube.io/resolved-providers'

/** Which Providers the bare references of an object mean. */
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

import type { ApplyResourceChangeResponse, PlanResourceChangeResponse, UnaryRpcs } from '@hykube/tfplugin/protocol'
import type { ProviderPort } from '../calls/instance.ts'

/** A recorded call. */
export interface Call {
  readonly rpc: keyof ProviderPort
  readonly request: unknown
}

type Answers = {
  readonly [K in keyof ProviderPort]?: (request: UnaryRpcs[K]['request']) => Partial<UnaryRpcs[K]['response']>
}

/** An in-memory provider. By default it plans the proposed state and applies the planned one; `answers` override that. It records its calls. */
export function fakeProvider(answers: Answers = {}): ProviderPort & { readonly calls: readonly Call[] } {
  const calls: Call[] = []
  const defaults: { readonly [K in keyof ProviderPort]: (request: UnaryRpcs[K]['request']) => object } = {
    validateResourceConfig: () => ({}),
    validateDataResourceConfig: () => ({}),
    upgradeResourceState: () => ({}),
    upgradeResourceIdentity: () => ({}),
    readResource: ({ currentState, private: bytes }) => ({ newState: currentState, private: bytes ?? none }),
    planResourceChange: ({ proposedNewState }) => plan({ plannedState: proposedNewState }),
    applyResourceChange: ({ plannedState }) => applied({ newState: plannedState }),
    importResourceState: () => ({ importedResources: [] }),
    readDataSource: ({ config }) => ({ state: config }),
  }
  const port: Record<string, unknown> = { calls }
  for (const rpc of Object.keys(defaults) as (keyof ProviderPort)[]) {
    port[rpc] = async (request: never) => {
      calls.push({ rpc, request })
      const answer = (answers[rpc] as ((request: never) => object) | undefined)?.(request) ?? {}
      // An answer with diagnostics is complete; others are merged with the default answer.
      return 'diagnostics' in answer ? answer : { diagnostics: [], ...defaults[rpc](request), ...answer }
    }
  }
  return port as unknown as ProviderPort & { readonly calls: readonly Call[] }
}

/** Completes an answer to PlanResourceChange. */
export function plan(given: Partial<PlanResourceChangeResponse>): PlanResourceChangeResponse {
  return { requiresReplace: [], plannedPrivate: none, legacyTypeSystem: false, diagnostics: [], ...given }
}

/** Completes an answer to ApplyResourceChange. */
export function applied(given: Partial<ApplyResourceChangeResponse>): ApplyResourceChangeResponse {
  return { private: none, legacyTypeSystem: false, diagnostics: [], ...given }
}

const none = new Uint8Array(0)

import type { Scenario } from './scenario.ts'

/** The changes that providers are asked for from now on, in their order. */
export function applied(s: Scenario): string[] {
  const order: string[] = []
  s.engine.providers.intercept = ({ method, request }) => {
    if (method === 'applyResourceChange') order.push(callName(request))
    return undefined
  }
  return order
}

/** Has changes fail, named as `+ sim_network`: before anything was done, or after. */
export function failing(s: Scenario, which: (call: string) => boolean, when: 'before' | 'after' = 'before'): void {
  s.engine.providers.intercept = ({ method, request, go }) => {
    if (method !== 'applyResourceChange' || !which(callName(request))) return undefined
    const failed = failedAnswer(request)
    const { diagnostics } = failed
    return when === 'before' ? Promise.resolve(failed) : go().then((answer) => ({ ...(answer as object), diagnostics }))
  }
}

/** A change that failed before anything was done. */
export function failedAnswer({ priorState, plannedPrivate }: Readonly<Record<string, unknown>>) {
  const diagnostics = [{ severity: 'error', summary: 'It did not work' }]
  return { newState: priorState, private: plannedPrivate, legacyTypeSystem: false, diagnostics }
}

/** Holds changes back until they are let go; tells when the first one waits. */
export function holding(s: Scenario, which: (call: string) => boolean): { readonly waits: Promise<void>; go(): void } {
  const held = Promise.withResolvers<void>()
  const waits = Promise.withResolvers<void>()
  s.engine.providers.intercept = ({ method, request, go }) => {
    if (method !== 'applyResourceChange' || !which(callName(request))) return undefined
    waits.resolve()
    return held.promise.then(go)
  }
  return { waits: waits.promise, go: () => held.resolve() }
}

/** A change as `+ sim_network`. */
export function callName(request: Readonly<Record<string, unknown>>): string {
  const verb = request.priorState === null ? '+' : request.plannedState === null ? '-' : '~'
  return `${verb} ${String(request.typeName)}`
}

/** Has the provider return a text of its own in an attribute, in whatever it answers about objects that have the attribute. */
export function echoing(
  s: Scenario,
  attribute: string,
  text: (given: Readonly<Record<string, unknown>>) => string,
): void {
  s.engine.providers.intercept = ({ method, request, go }) => {
    const field = { applyResourceChange: 'newState', readResource: 'newState', readDataSource: 'state' }[method]
    if (field === undefined) return undefined
    return go().then((answer) => {
      const value = (answer as Record<string, object | null>)[field]
      if (value == null || !(attribute in value)) return answer
      const echo = { [attribute]: text((request.config ?? request.currentState) as Record<string, unknown>) }
      return { ...(answer as object), [field]: Object.assign(Object.create(null), value, echo) }
    })
  }
}

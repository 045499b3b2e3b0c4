import states from './functions.json' with { type: 'json' }

/** Recorded state of a function of the suite. */
export interface KnownState {
  readonly state: 'passes' | 'fails'
  /** Reason of the failure. */
  readonly reason?: string
  /** True when the function tests kubectl alone, without server behaviour. */
  readonly clientOnly?: boolean
  /** True when it is fast enough for `npm test`. */
  readonly quick?: boolean
}

/** Recorded states by short name. */
export const knownStates: Readonly<Record<string, KnownState>> = states as Record<string, KnownState>

/** Returns the state recorded in `functions.json`. */
export function knownState(name: string): KnownState | undefined {
  return knownStates[shortName(name)]
}

/** Converts `run_kubectl_get_tests` to `kubectl_get`. */
export function shortName(name: string): string {
  return name.replace(/^run_/, '').replace(/_tests?$/, '')
}

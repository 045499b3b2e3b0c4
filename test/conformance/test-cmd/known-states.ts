import states from './functions.json' with { type: 'json' }

/** What is known of a function of the suite. */
export interface KnownState {
  readonly state: 'passes' | 'fails'
  /** Why it fails. */
  readonly reason?: string
  /** It tries kubectl alone: no server behaviour is in it. */
  readonly clientOnly?: boolean
  /** Quick enough to be guarded by `npm test`. */
  readonly quick?: boolean
}

/** The functions by their short names. */
export const knownStates: Readonly<Record<string, KnownState>> = states as Record<string, KnownState>

/** What `functions.json` says of a function. */
export function knownState(name: string): KnownState | undefined {
  return knownStates[shortName(name)]
}

/** `run_kubectl_get_tests` → `kubectl_get`. */
export function shortName(name: string): string {
  return name.replace(/^run_/, '').replace(/_tests?$/, '')
}
